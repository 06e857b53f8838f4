import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { replaceSecret } from '../store/secret-file.ts'
import { confirm, type Definitions, reportingErrors } from './command.ts'
import { CommandError, type ConnectionFlags, withConnection } from './connection.ts'
import { adminTokenFileName, createAdminToken } from './environment.ts'
import { print, showProgress } from './output.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server rotate-key --yes
  service-server rotate-key --admin-token-file --yes

The platform may keep running: existing secrets stay readable until all of them are re-encrypted, and an interrupted
rotation resumes when you run the command again. The old key is kept next to the new one, with its
fingerprint in the file name, for older backups. Delete it together with the last of them.
With --admin-token-file, this replaces the admin token in the data directory. The old one stops working immediately.`

interface Flags extends ConnectionFlags {
  readonly adminTokenFile?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

function defineRotateKey(command: Command): Command {
  return withConnection(command)
    .option('--admin-token-file', 'replace the admin token in the data directory instead')
    .option('--json', 'print the result as JSON')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples)
    .action(reportingErrors((flags: Flags) => (flags.adminTokenFile === true ? rotateToken(flags) : rotateKey(flags))))
}

async function rotateKey(flags: Flags): Promise<void> {
  await confirm('Re-encrypt all secrets with a new key?', flags)
  const result = await withAdmin(flags, async (admin) => {
    const begun = await admin.encryptionKey.rotate()
    const progress = await showProgress('Re-encrypting')
    try {
      let now = await admin.encryptionKey.reencrypt()
      while (now.remaining > 0) {
        progress.report(1 - now.remaining / Math.max(begun.remaining, now.remaining))
        now = await admin.encryptionKey.reencrypt()
      }
      progress.report(1)
      return { ...now, reencrypted: begun.remaining }
    } finally {
      progress.end()
    }
  })
  const text = `The key ${result.key_fingerprint} is now active; ${result.reencrypted} secrets were re-encrypted.`
  print(`${flags.json === true ? JSON.stringify(result) : text}\n`)
}

/** The server re-reads the file when it changes. */
async function rotateToken({ data, yes, json }: Flags): Promise<void> {
  const path = join(data, adminTokenFileName)
  if (!existsSync(path))
    throw new CommandError(`There is no admin token in ${path}. If it is set in the configuration, change it there.`)
  await confirm('Replace the admin token? The current one stops working immediately.', { yes })
  replaceSecret(path, createAdminToken())
  print(json === true ? `${JSON.stringify({ token_file: path })}\n` : `The new admin token is in ${path}.\n`)
}

export const commands: Definitions = { 'rotate-key': defineRotateKey }
