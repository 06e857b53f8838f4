import { toTicketNumber } from '@service/contract'
import type { Action, Condition } from '@service/contract/admin/automation-input'
import { formatInstant, type Micros } from '../../../core/clock.ts'
import { startComparing } from '../../../modules/automation/conditions.ts'
import { createRule } from '../../../modules/automation/service.ts'
import { pinTime } from '../../factories/factory-context.ts'
import { type Company, daysFrom, type Person, records } from './company.ts'
import { byTime, insertRows, withIds } from './store-rows.ts'
import data from './tickets.json' with { type: 'json' }
import type { StoredTicket } from './tickets.ts'
import work from './work.json' with { type: 'json' }

interface Message {
  readonly at: Micros
  readonly channel: string
  /** Null for a message posted by a rule. */
  readonly author: Person | null
  readonly ticket?: number
  readonly rule?: number
  readonly body: string
}

export type StoredMessage = Message & { readonly id: number }
export type Rule = (typeof data.rules)[number] & { readonly id: number; readonly at: Micros }

/** Creates rules that post messages, and one disabled rule. */
export async function createRules({ app, workspace: workspace_id, now, ids }: Company): Promise<readonly Rule[]> {
  const at = daysFrom(now, -45)
  const then = pinTime(app, formatInstant(at))
  const created: Rule[] = []
  for (const rule of data.rules) {
    const { name, channel, prefix, enabled = true } = rule
    const { trigger, conditions } = rule as { trigger: 'ticket_created' | 'sla_breached'; conditions: Condition[] } // the data's format
    const body = `${prefix} {{ticket_number}} {{title}}`
    const actions: Action[] = [{ type: 'post_message', channel_id: ids[channel] ?? 0, body }]
    const { id } = await createRule(then, { workspace_id, name, match: 'all', trigger, conditions, actions, enabled })
    created.push({ ...rule, id, at })
  }
  return created
}

/** Stores conversations, rule runs, and messages posted by rules. */
export async function storeMessages(
  company: Company,
  rules: readonly Rule[],
  tickets: readonly StoredTicket[],
): Promise<readonly StoredMessage[]> {
  const { app, workspace: workspace_id, now, people, ids } = company
  const runs = rules
    .filter(({ enabled }) => enabled !== false)
    .flatMap((rule) => tickets.flatMap((ticket) => createRuns(rule, ticket)))
  const posted = runs.flatMap(({ message }) => message ?? [])
  const texts = records<{ channel: string; days_ago: number; by: string; body: string }>(work.messages)
  const written = texts.map(({ channel, days_ago, by, body }): Message => {
    return { at: daysFrom(now, -days_ago), channel, author: people.find(({ id }) => id === ids[by]) ?? null, body }
  })
  const messages = await withIds(app, 'messages', [...written, ...posted])
  const rows = messages.map(({ id, at, channel, author, rule, ticket = null, body }) => {
    const by = { author_id: author?.id ?? null, origin: rule === undefined ? null : 'rule', origin_id: rule ?? null }
    return { id, workspace_id, channel_id: ids[channel] ?? 0, ...by, ticket_id: ticket, body, created_at: at }
  })
  await insertRows(app, 'messages', rows)
  const log = byTime(runs).map(({ at, rule, ticket, message }) => {
    const posted = messages.find(({ author, body }) => author === null && body === message?.body)
    return {
      workspace_id,
      rule_id: rule.id,
      ticket_id: ticket,
      trigger_name: rule.trigger,
      ran_at: at,
      outcome: posted === undefined ? 'not_matched' : 'ran',
      detail: posted === undefined ? 'Its conditions do not match.' : `Message posted in ${posted.channel}.`,
    }
  })
  await insertRows(app, 'automation_runs', log)
  return messages
}

function createRuns(rule: Rule, { row: { id: ticket, number, title, category, priority, ...row } }: StoredTicket) {
  const triggers =
    rule.trigger === 'ticket_created'
      ? [{ sla: null, at: row.created_at }]
      : [
          { sla: 'first_response', at: row.first_response_breached_at },
          { sla: 'resolution', at: row.resolution_breached_at },
        ]
  return triggers.flatMap(({ at, sla }) => {
    if (at === null || at < rule.at) return []
    const matches = startComparing({ steps: Number.POSITIVE_INFINITY })
    const holds = matches({ category, priority, sla }, { match: 'all', conditions: rule.conditions as Condition[] })
    const body = `${rule.prefix} ${toTicketNumber(number)} ${title}`
    const posted = { at, channel: rule.channel, author: null, rule: rule.id, ticket, body }
    const message: Message | undefined = holds ? posted : undefined
    return [{ at, rule, ticket, message }]
  })
}
