import * as z from 'zod/mini'
import {
  integerId,
  maxOpenValueLength,
  maxTagLength,
  maxTextLength,
  maxTitleLength,
  optionalId,
  requiredText,
} from '../fields.ts'

/** What triggers a rule. */
export const ruleTriggers = ['ticket_created', 'ticket_updated', 'sla_breached', 'error_reported'] as const
export type RuleTrigger = (typeof ruleTriggers)[number]

/** The fields of a ticket that conditions can test. */
export const ticketConditionFields = [
  'title',
  'description',
  'status',
  'priority',
  'category',
  'assigned_to',
  'created_by',
  'project_id',
  'tags',
] as const
/** Those of an error, which exist when one was reported. */
export const errorConditionFields = [
  'exception',
  'message',
  'app',
  'environment',
  'framework',
  'severity',
  'count',
] as const
/** `changed` exists when a ticket was updated, `sla` when one was breached. */
const conditionFields = [...ticketConditionFields, 'changed', 'sla', ...errorConditionFields] as const
export type ConditionField = (typeof conditionFields)[number]

const shortText = requiredText(maxTitleLength)
const maxValues = 100
const value = z.union([shortText, z.number()])

export const Condition = z.union([
  z.object({
    field: z.enum(conditionFields),
    operator: z.enum(['equals', 'not_equals', 'contains', 'not_contains', 'starts_with']),
    value,
  }),
  z.object({ field: z.enum(conditionFields), operator: z.enum(['greater_than', 'less_than']), value: z.number() }),
  z.object({
    field: z.enum(conditionFields),
    operator: z.enum(['in', 'not_in']),
    value: z.array(value).check(z.minLength(1), z.maxLength(maxValues)),
  }),
  z.object({ field: z.enum(conditionFields), operator: z.enum(['is_set', 'is_not_set']) }),
])
export type Condition = z.infer<typeof Condition>

/** What a rule does to its ticket. `{{ticket_number}}`, `{{title}}` … in texts are replaced by the ticket's. */
export const Action = z.union([
  z.object({ type: z.literal('assign'), user_id: z.nullable(integerId) }),
  z.object({ type: z.literal('set_priority'), priority: requiredText(maxOpenValueLength) }),
  z.object({ type: z.literal('set_category'), category: requiredText(maxOpenValueLength) }),
  z.object({ type: z.literal('set_status'), status: requiredText(maxOpenValueLength) }),
  z.object({ type: z.literal('add_tag'), tag: requiredText(maxTagLength) }),
  z.object({ type: z.literal('create_task'), title: shortText, assigned_to: optionalId }),
  z.object({ type: z.literal('post_message'), channel_id: integerId, body: requiredText(maxTextLength) }),
])
export type Action = z.infer<typeof Action>

const conditions = z.array(Condition).check(z.maxLength(20))

const ruleBody = {
  name: shortText,
  match: z._default(z.enum(['all', 'any']), 'all'),
  conditions: z._default(conditions, []),
  actions: z.array(Action).check(z.minLength(1), z.maxLength(20)),
  enabled: z._default(z.boolean(), true),
}

/** A rule: its trigger, the conditions that a ticket must meet, and its actions. */
export const RuleInput = z.object({ trigger: z.enum(ruleTriggers), ...ruleBody })
export type RuleInput = z.input<typeof RuleInput>

/** Changes to a rule. Omitted fields keep their values. */
export const RulePatch = z.partial(
  z.object({ ...ruleBody, match: z.enum(['all', 'any']), conditions, enabled: z.boolean() }),
)
export type RulePatch = z.input<typeof RulePatch>

/** How many of the newest tickets to try it on. */
const last = z._default(z.int().check(z.positive(), z.maximum(1000)), 200)

/** A rule to be tried on the newest tickets. */
export const RuleToTry = z.object({
  name: z.optional(shortText),
  trigger: z.enum(ruleTriggers),
  match: ruleBody.match,
  conditions: ruleBody.conditions,
  actions: ruleBody.actions,
  enabled: z.optional(z.boolean()),
  last,
})

/** Options for trying a stored rule. */
export const DryRunInput = z.object({ last })

const minutes = z.nullish(z.int().check(z.positive(), z.maximum(525_600)))

/** How fast tickets of a priority must be answered and resolved, in minutes. Null means no target. */
export const SlaPolicyInput = z.object({ first_response_minutes: minutes, resolution_minutes: minutes })
export type SlaPolicyInput = z.input<typeof SlaPolicyInput>
