import { Command } from 'commander'
import { quietLog } from '../core/log.ts'
import { systemClock } from '../core/system-clock.ts'
import { rebuildTicketSearch } from '../modules/tickets/rebuild-search.ts'
import { copyDatabase } from '../store/copy/copy-database.ts'
import { configOf, openSide } from '../store/copy/open-side.ts'
import { openStore } from '../store/open.ts'
import { type ConnectionFlags, withConnection } from './connection.ts'
import { toTable } from './output.ts'
import { showProgress } from './progress.ts'
import { telling } from './telling.ts'
import { withAdmin } from './with-admin.ts'

export function dbCommand(): Command {
  const stats = withConnection(new Command('stats').description('What each table weighs, its indexes included.'))
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  service-server db stats --data /var/lib/service')
    .action(telling(showStats))
  return new Command('db').description('Look at the database, or copy it.').addCommand(copyCommand()).addCommand(stats)
}

async function showStats(flags: ConnectionFlags & { readonly json?: boolean }): Promise<void> {
  const answer = await withAdmin(flags, (admin) => admin.system.tables())
  const text =
    flags.json === true ? JSON.stringify(answer, null, 2) : toTable(answer.data, ['table', 'rows', 'size_bytes'])
  process.stdout.write(`${text}\n`)
}

const examples = `
Examples:
  service-server db copy --from .data --to postgres://user@db/service
  service-server db copy --from postgres://user@db/service --to ./copy

Stop the platform first. The target is a new database; a copy that was interrupted goes on when the command is called
again. Every table is read from both sides at the end and must have the same checksum. Take the encryption key along:
it is not in the database.`

interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

/** The index of tickets is of another kind in each database, so it is made and not copied. */
async function rebuildSearch(place: string): Promise<void> {
  const store = await openStore(configOf(place), { clock: systemClock(), log: quietLog() })
  try {
    await rebuildTicketSearch(store)
  } finally {
    await store.close()
  }
}

const copyCommand = (): Command =>
  new Command('copy')
    .description('Copy the platform from SQLite to PostgreSQL or back.')
    .requiredOption('--from <place>', 'a data directory or a postgres:// URL')
    .requiredOption('--to <place>', 'the same for the target')
    .option('--json', 'print what was copied as JSON')
    .addHelpText('after', examples)
    .action(telling(copy))

async function copy({ from, to, json }: CopyFlags): Promise<void> {
  const clock = systemClock()
  const source = await openSide(from, 'from', clock)
  try {
    const target = await openSide(to, 'to', clock)
    const progress = await showProgress('Copying')
    try {
      const copied = await copyDatabase(source, target, { onProgress: progress.report })
      const text = json === true ? JSON.stringify(copied, null, 2) : toTable(copied, ['table', 'rows', 'sha256'])
      progress.end()
      process.stdout.write(`${text}\n`)
    } finally {
      progress.end()
      await target.close()
    }
    await rebuildSearch(to)
  } finally {
    await source.close()
  }
}
