import type { Rule } from '@service/contract/admin/automation'
import type { Action, Condition, ConditionField } from '@service/contract/admin/automation-input'
import type { Fields } from '../../ui/page-types.ts'

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
export type DraftAction = Readonly<Record<string, string>>

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

export const isActionType = (type: string | undefined): type is ActionType => type !== undefined && type in actionFields

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

export const toDraft = ({ name, trigger, match, conditions, actions }: Rule): Draft => ({
  name,
  trigger,
  match,
  conditions: conditions.map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    value: 'value' in condition ? [condition.value].flat().join(', ') : '',
  })),
  actions: actions.map((action) =>
    Object.fromEntries(Object.entries(action).map(([field, value]) => [field, value === null ? '' : String(value)])),
  ),
})

/** The draft as an API input. The API validates it and explains what is wrong. */
export const toRule = ({ name, match, conditions, actions }: Draft) => ({
  name,
  match: match === 'any' ? ('any' as const) : ('all' as const),
  conditions: conditions.map(toCondition),
  actions: actions.map(toAction),
})

function toCondition({ field: typed, operator, value }: DraftCondition): Condition {
  const field = typed as ConditionField // validated by the API
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return { field, operator }
    case 'greater_than':
    case 'less_than':
      return { field, operator, value: value === '' ? Number.NaN : Number(value) }
    case 'in':
    case 'not_in':
      return {
        field,
        operator,
        value: value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      }
    default:
      return { field, operator: operator as 'equals', value } // validated by the API
  }
}

function toAction(draft: DraftAction): Action {
  const text = (field: string) => draft[field] ?? ''
  const idOrNull = (field: string) => (text(field) === '' ? null : Number(text(field)))
  switch (draft['type']) {
    case 'assign':
      return { type: 'assign', user_id: idOrNull('user_id') }
    case 'create_task':
      return { type: 'create_task', title: text('title'), assigned_to: idOrNull('assigned_to') }
    case 'post_message':
      return { type: 'post_message', channel_id: Number(text('channel_id')), body: text('body') }
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
