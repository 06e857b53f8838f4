import { maxNames } from '../../ui/resource/fields.tsx'
import type { Draft, DraftCondition } from './rule-draft.ts'
import { type Names, recordsOf } from './rule-labels.ts'
import { partsOf, readValue } from './rule-values.ts'

/** What the form says about values that the API refuses or does not know, by their place in the rule. */
export function draftErrors({ conditions, actions }: Draft, names: Names): Record<string, readonly string[]> {
  const ofConditions = conditions.flatMap((condition, row) => {
    const sentence = conditionError(condition, names)
    return sentence === undefined ? [] : [[`conditions.${row}.value`, [sentence]] as const]
  })
  const ofActions = actions.flatMap((action, row) =>
    Object.entries(missingRecords).flatMap(([field, { among, sentence }]) =>
      isMissing(action[field], names[among]) ? [[`actions.${row}.${field}`, [sentence]] as const] : [],
    ),
  )
  return {
    // A rule without actions can be edited, but not tried or saved.
    ...(actions.length === 0 && { actions: ['Add at least one action.'] }),
    ...Object.fromEntries(ofConditions),
    ...Object.fromEntries(ofActions),
  }
}

function describeUnknown(field: string, name: string, names: Names): string {
  const start = `${name} (`.toLowerCase()
  const alike = [...(recordsOf(field, names)?.values() ?? [])].filter((other) => other.toLowerCase().startsWith(start))
  if (alike.length > 0) return `Several are named “${name}”. Enter one of them: ${alike.join(', ')}.`
  return field === 'project_id'
    ? `None of the newest ${maxNames} projects is named “${name}”. Enter the id of an older one.`
    : `There is no member named “${name}”.`
}

function conditionError({ field, operator, value }: DraftCondition, names: Names): string | undefined {
  switch (operator) {
    case 'is_set':
    case 'is_not_set':
      return undefined
    case 'greater_than':
    case 'less_than':
      return value.trim() === '' || Number.isNaN(Number(value)) ? 'Enter a number.' : undefined
    default: {
      const typed = operator === 'in' || operator === 'not_in' ? partsOf(value) : [value.trim()].filter(Boolean)
      if (typed.length === 0) return 'Enter a value, or choose “is set” or “is not set”.'
      const unknown = typed.find((text) => readValue(field, text, names) === undefined)
      return unknown === undefined ? undefined : describeUnknown(field, unknown, names)
    }
  }
}

const leftMember = { among: 'people', sentence: 'This member has left the workspace: choose another.' } as const

/** What is said about a field of an action whose record is gone. */
const missingRecords = {
  user_id: leftMember,
  assigned_to: leftMember,
  channel_id: { among: 'channels', sentence: 'This channel was deleted: choose another.' },
} as const

const isMissing = (id: string | undefined, records: ReadonlyMap<number, string>) =>
  id !== undefined && id !== '' && !records.has(Number(id))
