import type { Admin } from '@service/client/admin'
import type { Command } from 'commander'
import { confirm, type Definitions, reportingErrors } from './command.ts'
import { type ConnectionFlags, withConnection } from './connection.ts'
import { print } from './output.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server prune --yes
  service-server prune --data /var/lib/service --yes

A running platform does this automatically, a few hundred rows at a time, and may keep running. Retention is
a setting; see service-server config print.`

function definePrune(command: Command): Command {
  return withConnection(command)
    .option('--database-url <url>', 'PostgreSQL URL, if no server is running (or SERVICE_DATABASE_URL)')
    .option('--yes', 'skip the confirmation')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(reportingErrors(run))
}

interface Flags extends ConnectionFlags {
  readonly yes?: boolean
  readonly json?: boolean
}

async function run(flags: Flags): Promise<void> {
  await confirm('Remove records past their retention period?', flags)
  const removed = await withAdmin(flags, pruneAll)
  const text = removed === 0 ? 'No rows were past their retention period.' : `Removed ${removed} rows.`
  print(`${flags.json === true ? JSON.stringify({ removed }) : text}\n`)
}

async function pruneAll({ system }: Admin): Promise<number> {
  let sum = 0
  for (;;) {
    const { removed, done } = await system.prune()
    sum += removed
    if (done) return sum
  }
}

export const commands: Definitions = { prune: definePrune }
