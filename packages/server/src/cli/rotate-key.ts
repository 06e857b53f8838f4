import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { replaceSecret } from '../encryption/secret-file.ts'
import { confirm, type Definitions, telling } from './command.ts'
import { CommandError, type ConnectionFlags, withConnection } from './connection.ts'
import { adminTokenFileName, makeAdminToken } from './environment.ts'
import { showProgress } from './output.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server rotate-key
  service-server rotate-key --admin-token-file

The platform may run meanwhile: what was encrypted before can be read until all of it is encrypted anew, and a rotation
that was interrupted goes on when the command is called again. The key before is kept beside the new one, with its
fingerprint in its name, for the backups from before; remove it with the last of them.
With --admin-token-file the admin token in the data directory is replaced; the one before stops at once.`

interface Flags extends ConnectionFlags {
  readonly adminTokenFile?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

function defineRotateKey(command: Command): Command {
  return withConnection(command)
    .option('--admin-token-file', 'replace the admin token in the data directory instead')
    .option('--json', 'print the result as JSON')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples)
    .action(telling((flags: Flags) => (flags.adminTokenFile === true ? rotateToken(flags) : rotateKey(flags))))
}

async function rotateKey(flags: Flags): Promise<void> {
  const reached = await withAdmin(flags, async (admin) => {
    const begun = await admin.encryptionKey.rotate()
    const progress = await showProgress('Encrypting anew')
    try {
      let now = await admin.encryptionKey.reencrypt()
      while (now.remaining > 0) {
        progress.report(1 - now.remaining / Math.max(begun.remaining, now.remaining))
        now = await admin.encryptionKey.reencrypt()
      }
      return { ...now, reencrypted: begun.remaining }
    } finally {
      progress.end()
    }
  })
  const text = `The key ${reached.key_fingerprint} encrypts now; ${reached.reencrypted} secrets were encrypted anew.`
  process.stdout.write(`${flags.json === true ? JSON.stringify(reached) : text}\n`)
}

/** The server reads the file again when it has changed. */
async function rotateToken({ data, yes, json }: Flags): Promise<void> {
  const path = join(data, adminTokenFileName)
  if (!existsSync(path))
    throw new CommandError(`There is no admin token in ${path}. One that is configured is replaced where it is set.`)
  await confirm('Replace the admin token? The one before stops at once.', { yes })
  replaceSecret(path, makeAdminToken())
  process.stdout.write(
    json === true ? `${JSON.stringify({ token_file: path })}\n` : `The new admin token is in ${path}.\n`,
  )
}

export const commands: Definitions = { 'rotate-key': defineRotateKey }
