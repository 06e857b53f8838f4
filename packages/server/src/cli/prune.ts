import type { Admin } from '@service/client/admin'
import type { Command } from 'commander'
import { confirm, type Definitions, telling } from './command.ts'
import { type ConnectionFlags, withConnection } from './connection.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server prune --yes
  service-server prune --data /var/lib/service --yes

A running platform does this by itself, some hundred rows at a time, and may run meanwhile. How long records are kept is
in the settings: service-server config print.`

function definePrune(command: Command): Command {
  return withConnection(command)
    .option('--database-url <url>', 'a postgres:// URL, without a server (or SERVICE_DATABASE_URL)')
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(telling(run))
}

interface Flags extends ConnectionFlags {
  readonly yes?: boolean
  readonly json?: boolean
}

async function run(flags: Flags): Promise<void> {
  await confirm('Remove what is older than its retention?', flags)
  const removed = await withAdmin(flags, pruneAll)
  const text = removed === 0 ? 'Nothing was old enough.' : `${removed} rows were old enough and are removed.`
  process.stdout.write(`${flags.json === true ? JSON.stringify({ removed }) : text}\n`)
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
