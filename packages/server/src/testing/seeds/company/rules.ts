import type { Action, Condition } from '@service/contract/admin/automation-input'
import { formatInstant, type Micros, microsPerDay } from '../../../core/clock.ts'
import { matches } from '../../../modules/automation/conditions.ts'
import { createRule, setSlaPolicy } from '../../../modules/automation/service.ts'
import { toTicketNumber } from '../../../modules/tickets/queries.ts'
import { pinTime } from '../../factories/factory-context.ts'
import type { Company } from './company.ts'
import { insertRows } from './insert-rows.ts'
import type { MessagePlan, StoredChannel, StoredMessage } from './messages.ts'
import { serviceLevels } from './ticket-course.ts'
import type { StoredTicket } from './tickets.ts'

/** Since when there are rules. */
const rulesSince = 45

/** The service levels are as old as the workspace, so that every ticket has its due times from them. */
export async function makeServiceLevels({ app, workspace: workspace_id, calendar }: Company): Promise<void> {
  const made = pinTime(app, formatInstant((calendar[0]?.startsAt ?? 0) - microsPerDay))
  for (const [priority, { firstResponse, resolution }] of Object.entries(serviceLevels)) {
    const minutes = { first_response_minutes: firstResponse, resolution_minutes: resolution }
    await setSlaPolicy(made, { workspace_id, priority, ...minutes })
  }
}

interface RuleText {
  readonly name: string
  readonly trigger: 'ticket_created' | 'sla_breached'
  readonly conditions: Condition[]
  readonly channel: string
  readonly says: string
}

/** Rules that post what people should know of. */
const ruleTexts: readonly RuleText[] = [
  {
    name: 'Announce urgent tickets',
    trigger: 'ticket_created',
    conditions: [{ field: 'priority', operator: 'equals', value: 'urgent' }],
    channel: 'support',
    says: 'Urgent:',
  },
  {
    name: 'Tell dispatch about customs',
    trigger: 'ticket_created',
    conditions: [{ field: 'category', operator: 'equals', value: 'customs' }],
    channel: 'dispatch',
    says: 'Customs papers:',
  },
  {
    name: 'Report what is overdue',
    trigger: 'sla_breached',
    conditions: [
      { field: 'sla', operator: 'equals', value: 'resolution' },
      { field: 'priority', operator: 'in', value: ['urgent', 'high'] },
    ],
    channel: 'support',
    says: 'Overdue:',
  },
]

/** A rule that looked at a ticket. */
interface Run {
  readonly rule: RuleText & { readonly id: number }
  readonly ticket: StoredTicket
  readonly at: Micros
  /** Undefined where its conditions did not hold. */
  readonly message: MessagePlan | undefined
}

/** A rule that was made, with what it has looked at since. */
interface MadeRule {
  readonly id: number
  readonly name: string
  readonly at: Micros
  readonly runs: readonly Run[]
}

/** Makes the rules, and one that is switched off. */
export async function makeRules(
  { app, workspace: workspace_id, now, people }: Company,
  channels: readonly StoredChannel[],
  tickets: readonly StoredTicket[],
): Promise<readonly MadeRule[]> {
  const at = now - rulesSince * microsPerDay
  const then = pinTime(app, formatInstant(at))
  const made: MadeRule[] = []
  for (const text of ruleTexts) {
    const { name, trigger, conditions } = text
    const channel = channels.find((one) => one.name === text.channel)
    if (channel === undefined) throw new Error(`There is no channel ${text.channel}.`)
    const body = `${text.says} {{ticket_number}} {{title}}`
    const actions: Action[] = [{ type: 'post_message', channel_id: channel.id, body }]
    const { id } = await createRule(then, { ...allOf, workspace_id, name, trigger, conditions, actions, enabled: true })
    const runs = runsOf({ ...text, id }, channel, tickets).filter((run) => run.at >= at)
    made.push({ id, name, at, runs })
  }
  const engineer = people.find(({ department }) => department === 'Engineering')
  const actions: Action[] = [{ type: 'assign', user_id: engineer?.id ?? null }]
  const off = { name: 'Give bugs to engineering', trigger: 'ticket_created' as const, conditions: bugs, actions }
  const { id, name } = await createRule(then, { ...allOf, ...off, workspace_id, enabled: false })
  return [...made, { id, name, at, runs: [] }]
}

const allOf = { match: 'all' } as const
const bugs: Condition[] = [{ field: 'category', operator: 'in', value: ['bug', 'error'] }]

function runsOf(rule: Run['rule'], channel: StoredChannel, tickets: readonly StoredTicket[]): readonly Run[] {
  return tickets.flatMap((ticket) => {
    const occasions = rule.trigger === 'ticket_created' ? [{ at: ticket.at, level: null }] : ticket.breaches
    return occasions.map(({ at, level }): Run => {
      const { category, priority } = ticket
      const holds = matches({ category, priority, sla: level }, { match: 'all', conditions: rule.conditions })
      const body = `${rule.says} ${toTicketNumber(ticket.number)} ${ticket.title}`
      return { rule, ticket, at, message: holds ? { body, channel, author: null, at } : undefined }
    })
  })
}

/** The log of the rules; it names the messages, so these are stored before. */
export async function storeRuns(
  { app, workspace }: Company,
  runs: readonly Run[],
  messages: readonly StoredMessage[],
): Promise<void> {
  const byBody = new Map(messages.filter(({ author }) => author === null).map(({ body, id }) => [body, id]))
  await insertRows(
    app,
    'automation_runs',
    runs
      .toSorted((a, b) => a.at - b.at)
      .map(({ rule, ticket, at, message }) => ({
        workspace_id: workspace,
        rule_id: rule.id,
        ticket_id: ticket.id,
        trigger_name: rule.trigger,
        outcome: message === undefined ? 'not_matched' : 'ran',
        detail: message === undefined ? 'Its conditions do not hold.' : `Message ${byBody.get(message.body)} posted.`,
        ran_at: at,
      })),
  )
}
