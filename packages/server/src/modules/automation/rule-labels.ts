import type { Rule } from '@service/contract/admin/automation'
import type { Action, Condition, RuleTrigger } from '@service/contract/admin/automation-input'
import { words } from '../../ui/format.ts'

export const triggerLabels: Readonly<Record<RuleTrigger, string>> = {
  ticket_created: 'A ticket is created',
  ticket_updated: 'A ticket is changed',
  sla_breached: 'An SLA is breached',
  error_reported: 'An error is reported',
}

export const actionLabels: Readonly<Record<Action['type'], string>> = {
  assign: 'Assign to',
  set_priority: 'Set the priority to',
  set_category: 'Set the category to',
  set_status: 'Set the status to',
  add_tag: 'Add the tag',
  create_task: 'Create a task',
  post_message: 'Post a message',
}

/** The names of records by their ids. */
export interface Names {
  readonly people: ReadonlyMap<number, string>
  readonly channels: ReadonlyMap<number, string>
  readonly projects: ReadonlyMap<number, string>
}

/** The records to which the values of a condition refer; undefined for other values. */
export function recordsOf(field: string, { people, projects }: Names): ReadonlyMap<number, string> | undefined {
  if (field === 'project_id') return projects
  return field === 'assigned_to' || field === 'created_by' ? people : undefined
}

/** Stands before the id of a person who has left the workspace. */
export const formerMember = 'former member'

/** A value of a condition in the words of the dashboard. */
export function showValue(field: string, value: string | number, names: Names): string {
  const records = recordsOf(field, names)
  const name = records?.get(Number(value))
  if (name !== undefined) return name
  if (records === names.people) return `${formerMember} ${value}`
  return field === 'status' ? words(String(value)) : String(value)
}

export const operatorLabels: Readonly<Record<Condition['operator'], string>> = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  in: 'is one of',
  not_in: 'is not one of',
  greater_than: 'is more than',
  less_than: 'is less than',
  is_set: 'is set',
  is_not_set: 'is not set',
}

const specialFieldLabels: Readonly<Record<string, string>> = {
  sla: 'SLA',
  changed: 'Changed fields',
  count: 'Reports',
  project_id: 'Project',
}

export const fieldLabel = (field: string): string => specialFieldLabels[field] ?? words(field)

function describeCondition(condition: Condition, names: Names): string {
  const { field, operator } = condition
  const subject = `${fieldLabel(field)} ${operatorLabels[operator]}`
  if (!('value' in condition)) return subject
  const values = [condition.value].flat().map((value) => showValue(field, value, names))
  return `${subject} ${values.join(', ')}`
}

function describeAction(action: Action, { people, channels }: Names): string {
  switch (action.type) {
    case 'assign':
      return action.user_id === null ? 'Unassign' : `Assign to ${people.get(action.user_id) ?? `a ${formerMember}`}`
    case 'set_priority':
      return `Set the priority to ${action.priority}`
    case 'set_category':
      return `Set the category to ${action.category}`
    case 'set_status':
      return `Set the status to ${words(action.status).toLowerCase()}`
    case 'add_tag':
      return `Add the tag ${action.tag}`
    case 'create_task':
      return `Create the task “${action.title}”`
    case 'post_message':
      return `Post to ${channels.get(action.channel_id) ?? 'a channel'}`
  }
}

/** `Priority is high and Title contains shop → Assign to Ada`. */
export function describeRule(
  { conditions, match, actions }: Pick<Rule, 'conditions' | 'match' | 'actions'>,
  names: Names,
): string {
  const when = conditions
    .map((condition) => describeCondition(condition, names))
    .join(match === 'all' ? ' and ' : ' or ')
  const then = actions.map((action) => describeAction(action, names)).join(', ')
  return [when, then].filter(Boolean).join(' → ')
}
