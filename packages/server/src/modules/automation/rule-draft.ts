import type { Rule } from '@service/contract/admin/automation'
import type { Action, Condition, ConditionField } from '@service/contract/admin/automation-input'
import { readNumber, sentText } from '../../ui/forms.ts'
import type { Fields } from '../../ui/page-types.ts'
import type { Names } from './rule-labels.ts'
import { partsOf, readValue, valueText } from './rule-values.ts'

// The state of the rule form. It has a row per condition and action; field names contain the row number.

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'in',
  'not_in',
  'greater_than',
  'less_than',
  'is_set',
  'is_not_set',
] as const

export interface DraftCondition {
  readonly field: string
  readonly operator: string
  readonly value: string
}

/** The form input for an action: its type and the text of each field. */
type DraftAction = Readonly<Record<string, string>>

export interface Draft {
  readonly name: string
  readonly trigger: string
  readonly match: string
  readonly conditions: readonly DraftCondition[]
  readonly actions: readonly DraftAction[]
}

/** The fields of each type of action. */
export const actionFields = {
  assign: ['user_id'],
  set_priority: ['priority'],
  set_category: ['category'],
  set_status: ['status'],
  add_tag: ['tag'],
  create_task: ['title', 'assigned_to'],
  post_message: ['channel_id', 'body'],
} as const satisfies Record<Action['type'], readonly string[]>
export type ActionType = keyof typeof actionFields

/** The fields of actions that can have several lines. */
export const multilineFields: readonly string[] = ['body'] satisfies (typeof actionFields)['post_message'][number][]

export const isActionType = (type: string | undefined): type is ActionType =>
  type !== undefined && Object.hasOwn(actionFields, type)

export const emptyDraft: Draft = { name: '', trigger: 'ticket_created', match: 'all', conditions: [], actions: [] }

const maxRows = 20

/** Reads a draft from a form. */
export function readDraft(form: Fields): Draft {
  const rows = (name: string) =>
    Array.from({ length: Math.min(maxRows, Number(form.text(name)) || 0) }, (_, row) => row)
  return {
    name: form.text('name'),
    trigger: form.text('trigger'),
    match: form.text('match'),
    conditions: rows('condition_count').map((row) => ({
      field: form.text(`condition_${row}_field`),
      operator: form.text(`condition_${row}_operator`),
      value: form.text(`condition_${row}_value`),
    })),
    actions: rows('action_count').map((row) => {
      const type = form.text(`action_${row}_type`)
      const fields = isActionType(type) ? actionFields[type] : []
      return { type, ...Object.fromEntries(fields.map((field) => [field, form.text(`action_${row}_${field}`)])) }
    }),
  }
}

/** The form values of a draft. */
export function valuesOf({ name, trigger, match, conditions, actions }: Draft): Record<string, string> {
  const rows = [
    ...conditions.flatMap((condition, row) =>
      Object.entries(condition).map(([field, value]) => [`condition_${row}_${field}`, value]),
    ),
    ...actions.flatMap((action, row) =>
      Object.entries(action).map(([field, value]) => [`action_${row}_${field}`, value]),
    ),
  ]
  return { name, trigger, match, ...Object.fromEntries(rows) }
}

export const toDraft = ({ name, trigger, match, conditions, actions }: Rule, names: Names): Draft => ({
  name,
  trigger,
  match,
  conditions: conditions.map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    value: 'value' in condition ? valueText(condition, names) : '',
  })),
  actions: actions.map((action) =>
    Object.fromEntries(Object.entries(action).map(([field, value]) => [field, value === null ? '' : String(value)])),
  ),
})

/**
 * The draft as an API input. The API validates it and explains what is wrong. Texts as the form shows them for the
 * stored rule stand for its values, because a control can lose a part of a value, such as its line breaks.
 */
export function toRule({ name, match, conditions, actions }: Draft, names: Names, stored?: Rule) {
  const findValue = createValueFinder(stored, names)
  return {
    name,
    match: match === 'any' ? ('any' as const) : ('all' as const),
    conditions: conditions.map((row) => {
      const condition = toCondition(row, names)
      const value = 'value' in condition ? findValue(conditionKey(condition), row.value) : undefined
      return (value === undefined ? condition : { ...condition, value }) as Condition // as stored
    }),
    actions: actions.map((row) => {
      const action = toAction(row)
      const fields = Object.entries(action).map(([field, value]) => {
        const text = typeof value === 'string' ? findValue(actionKey(action, field), value) : undefined
        return [field, text ?? value]
      })
      return Object.fromEntries(fields) as Action // as stored
    }),
  }
}

const conditionKey = ({ field, operator }: Condition) => `${field} ${operator.replace('not_', '')}`
const actionKey = ({ type }: Action, field: string) => `${type} ${field}`

/** Finds the values behind texts that the form shows for the stored rule, in the order of its rows, each once. */
function createValueFinder(stored: Rule | undefined, names: Names) {
  const conditions = stored?.conditions.flatMap((condition) => {
    if (!('value' in condition)) return []
    return [{ key: conditionKey(condition), text: sentText(valueText(condition, names)), value: condition.value }]
  })
  const actions = stored?.actions.flatMap((action) =>
    Object.entries(action).flatMap(([field, value]) => {
      if (typeof value !== 'string') return []
      return [{ key: actionKey(action, field), text: sentText(value, multilineFields.includes(field)), value }]
    }),
  )
  const left: { key: string; text: string; value: unknown }[] = [...(conditions ?? []), ...(actions ?? [])]
  return (key: string, text: string): unknown => {
    const index = left.findIndex((each) => each.key === key && each.text === text)
    return index === -1 ? undefined : left.splice(index, 1)[0]?.value
  }
}

function toCondition({ field: typed, operator, value }: DraftCondition, names: Names): Condition {
  const field = typed as ConditionField // validated by the API
  const toStored = (text: string) => readValue(field, text, names) ?? ''
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return { field, operator }
    case 'greater_than':
    case 'less_than':
      return { field, operator, value: readNumber(value) }
    case 'in':
    case 'not_in':
      return {
        field,
        operator,
        value: partsOf(value).map(toStored),
      }
    default:
      return { field, operator: operator as 'equals', value: toStored(value) } // validated by the API
  }
}

function toAction(draft: DraftAction): Action {
  const text = (field: string) => draft[field] ?? ''
  const idOrNull = (field: string) => (text(field) === '' ? null : readNumber(text(field)))
  switch (draft['type']) {
    case 'assign':
      return { type: 'assign', user_id: idOrNull('user_id') }
    case 'create_task':
      return { type: 'create_task', title: text('title'), assigned_to: idOrNull('assigned_to') }
    case 'post_message':
      return { type: 'post_message', channel_id: readNumber(text('channel_id')), body: text('body') }
    default:
      return draft as Action // all of its fields are strings
  }
}

const without = <Row>(rows: readonly Row[], row: number) => rows.filter((_, index) => index !== row)

/** Applies a form button that changes the rows, such as `remove_condition:2`. */
export function changeRows(draft: Draft, pressed: string, form: Fields): Draft {
  const [what, row = ''] = pressed.split(':')
  switch (what) {
    case 'add_condition': {
      const field = form.text('new_condition')
      return {
        ...draft,
        conditions: [...draft.conditions, { field, operator: 'equals', value: '' }].slice(0, maxRows),
      }
    }
    case 'add_action':
      return { ...draft, actions: [...draft.actions, { type: form.text('new_action') }].slice(0, maxRows) }
    case 'remove_condition':
      return { ...draft, conditions: without(draft.conditions, Number(row)) }
    case 'remove_action':
      return { ...draft, actions: without(draft.actions, Number(row)) }
    default:
      return draft
  }
}
