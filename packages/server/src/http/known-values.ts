import { priorities, taskStatuses } from '@service/contract'
import { validation } from '../core/errors.ts'

/** Body fields with a list of known values, per operation. `validation: 'strict'` refuses any other. */
const knownValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'tickets.create': { priority: priorities },
  'tasks.create': { status: taskStatuses, priority: priorities },
}

export function requireKnownValues(operation: string, body: unknown): void {
  const errors: Record<string, string[]> = {}
  for (const [field, known] of Object.entries(knownValues[operation] ?? {})) {
    const value = (body as Readonly<Record<string, unknown>>)[field] // an object: its schema has passed
    if (typeof value === 'string' && !known.includes(value)) {
      errors[field] = [`The ${field} field must be one of: ${known.join(', ')}.`]
    }
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
}
