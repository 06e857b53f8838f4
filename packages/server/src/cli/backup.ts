import { resolve } from 'node:path'
import { Command } from 'commander'
import { formatInstant } from '../core/instants.ts'
import { systemClock } from '../core/system-clock.ts'
import { version } from '../core/version.ts'
import { backUp } from '../store/backup/backup.ts'
import { backupName } from '../store/backup/backup-directory.ts'
import { type PlaceFlags, readPlace, withPlace } from './data-place.ts'
import { telling } from './telling.ts'

const examples = `
Examples:
  service-server backup
  service-server backup /mnt/backups/monday.backup --data /var/lib/service
  SERVICE_DATABASE_URL_FILE=/run/secrets/db service-server backup --json

The server may run meanwhile. The file is complete up to one moment, was read back before it got its name, and does not
hold the encryption key: keep that apart. Its first line says what is in it. SERVICE_BACKUP_EVERY=1d makes backups by
themselves.`

interface Flags extends PlaceFlags {
  readonly json?: boolean
}

export function backupCommand(): Command {
  return withPlace(new Command('backup').description('Back up the platform into one file while it runs.'))
    .argument('[file]', 'where to; default: a new file in the directory of backups')
    .option('--json', 'print what is in the backup as JSON')
    .addHelpText('after', examples)
    .action(telling(run))
}

async function run(file: string | undefined, flags: Flags): Promise<void> {
  const config = readPlace(flags)
  const now = systemClock().now()
  const path = resolve(file ?? `${config.backupDirectory}/${backupName('manual', now)}`)
  const manifest = await backUp(config, { path, reason: 'manual', version, createdAt: formatInstant(now) })
  const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  const text = `${path}: ${rows} rows of ${Object.keys(manifest.rows).length} tables, as of ${manifest.created_at}.`
  process.stdout.write(`${flags.json === true ? JSON.stringify({ path, ...manifest }, null, 2) : text}\n`)
}
