import { type EventName, eventNames } from '@service/contract'
import { Argument, type Command } from 'commander'
import { type Definitions, reportingErrors, UsageError } from './command.ts'
import { type WorkspaceFlags, withWorkspace } from './connection.ts'
import { print } from './output.ts'
import { withAdmin } from './with-admin.ts'

const examples = `
Examples:
  service-server trigger ticket.created
  service-server trigger task.updated --override task.title="Call back" --override task.priority=high
  service-server trigger ticket.resolved --override ticket.id=7
  service-server trigger message.created --url http://127.0.0.1:8080 --admin-token service_admin_… --workspace 2

Creates a real object for the event, or changes an existing one if you pass its id.
Prints the event as JSON, as sent to the workspace's webhooks. If no server is running, it is sent when one
starts.`

interface Flags extends WorkspaceFlags {
  readonly override: readonly string[]
  readonly json?: boolean
}

function defineTrigger(command: Command): Command {
  command
    .addArgument(new Argument('<event>', 'which event').choices(eventNames))
    .option('--override <path=value>', 'set a value in the event; repeatable', collect, [])
    .option('--json', 'no effect: the event is always JSON')
  return withWorkspace(command).addHelpText('after', examples).action(reportingErrors(run))
}

const collect = (one: string, others: readonly string[]) => [...others, one]

async function run(event: EventName, { override, workspace, ...flags }: Flags): Promise<void> {
  const overrides = toOverrides(override)
  const happened = await withAdmin(flags, (admin) =>
    admin.events.trigger({ workspace: Number(workspace) }, { event, overrides }),
  )
  print(`${JSON.stringify(happened, null, 2)}\n`)
}

/** `task.title=Call back` becomes `{ task: { title: 'Call back' } }`. JSON values are parsed. */
function toOverrides(given: readonly string[]): Record<string, Record<string, unknown>> {
  const overrides: Record<string, Record<string, unknown>> = {}
  for (const text of given) {
    const [, subject, field, value] = /^(\w+)\.(\w+)=(.*)$/s.exec(text) ?? []
    if (subject === undefined || field === undefined || value === undefined)
      throw new UsageError(`--override is written like task.title="Call back"; it was ${text}.`)
    overrides[subject] = { ...overrides[subject], [field]: toValue(value) }
  }
  return overrides
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const commands: Definitions = { trigger: defineTrigger }
