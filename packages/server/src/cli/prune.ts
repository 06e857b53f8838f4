import { Command } from 'commander'
import type { App } from '../core/context.ts'
import { createRetentionTask } from '../delivery/outbox/retention.ts'
import type { MaintenanceTask } from '../runtime/maintenance.ts'
import { agingUpkeep } from '../runtime/retention.ts'
import { confirm, telling } from './command.ts'
import { type PlaceFlags, readPlace, withPlace } from './environment.ts'
import { withApp } from './with-admin.ts'

const examples = `
Example:
  service-server prune --data /var/lib/service --yes

A running platform does this by itself, some hundred rows at a time. How long records are kept is in the settings:
service-server config print.`

export function pruneCommand(): Command {
  return withPlace(new Command('prune').description('Remove now what has grown older than its retention.'))
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(telling(run))
}

interface Flags extends PlaceFlags {
  readonly yes?: boolean
  readonly json?: boolean
}

async function run(flags: Flags): Promise<void> {
  await confirm('Remove what is older than its retention?', flags)
  const rounds = await withApp({ data: readPlace(flags).data ?? '', databaseUrl: flags.databaseUrl }, pruneAll)
  const text = rounds === 0 ? 'Nothing was old enough.' : 'What was old enough is removed.'
  process.stdout.write(`${flags.json === true ? JSON.stringify({ removed: rounds > 0 }) : text}\n`)
}

async function pruneAll(app: App): Promise<number> {
  let rounds = 0
  for (const task of [...agingUpkeep(app), createRetentionTask(app)]) {
    while (await isDue(app, task)) {
      if (!(await task.run())) break
      rounds += 1
    }
  }
  return rounds
}

async function isDue({ clock }: App, task: MaintenanceTask): Promise<boolean> {
  const at = await task.nextDueAt()
  return at !== undefined && at <= clock.now()
}
