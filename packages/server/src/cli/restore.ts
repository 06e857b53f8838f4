import { resolve } from 'node:path'
import { Command } from 'commander'
import { systemClock } from '../core/system-clock.ts'
import { readKeys } from '../encryption/encryption-key.ts'
import { restore } from '../store/backup/restore.ts'
import { confirm } from './confirm.ts'
import { type PlaceFlags, readPlace, withPlace } from './data-place.ts'
import { telling } from './telling.ts'

const examples = `
Examples:
  service-server restore .data/backups/scheduled-2026-11-20T18-51-53-123Z.backup
  service-server restore monday.backup --data /var/lib/service --yes
  service-server restore monday.backup --database-url postgres://user@db/service_new

Refuses while a server runs on the directory, without the key that encrypted the backup's secrets, and a file that is
damaged. The database that was there stays beside the new one. With PostgreSQL the database must be empty.`

interface Flags extends PlaceFlags {
  readonly yes?: boolean
  readonly json?: boolean
}

export function restoreCommand(): Command {
  return withPlace(new Command('restore').description('Put a backup in the place of the database.'))
    .argument('<file>', 'the backup')
    .option('--yes', 'do not ask')
    .option('--json', 'print what was restored as JSON')
    .addHelpText('after', examples)
    .action(telling(run))
}

async function run(file: string, flags: Flags): Promise<void> {
  const config = readPlace(flags)
  const place = config.databaseUrl === undefined ? config.data : 'the PostgreSQL database'
  await confirm(`Restore ${file} into ${place}?`, flags)
  const { manifest, aside } = await restore({
    ...config,
    path: resolve(file),
    keyFingerprints: readKeys(config)?.fingerprints() ?? [],
    keyPlace: config.encryptionKeyFile ?? 'SERVICE_ENCRYPTION_KEY',
    clock: systemClock(),
  })
  const kept = aside === null ? '' : ` The database before is ${aside}.`
  const text = `Restored ${file}, as of ${manifest.created_at}.${kept}`
  process.stdout.write(`${flags.json === true ? JSON.stringify({ ...manifest, aside }, null, 2) : text}\n`)
}
