import type { Issue } from './errors/details.ts'
import { ResponseError } from './errors/family.ts'
import { tell } from './events.ts'
import { failure } from './failure.ts'
import { quote } from './redact.ts'
import type { Trip } from './trip.ts'

const longestSnippet = 200

/** Reads a success. More fields and new values than documented are fine; a missing field is drift. */
export function readAnswer(trip: Trip, response: Response, text: string): unknown {
  const value = parseJson(trip, response, text)
  const { contract, settings } = trip.call
  const { data, issues } = settings.check(contract.answer, value)
  return issues ? settleDrift(trip, value, issues) : data
}

/** A refusal that is a documented result, such as a punch of an unknown device; undefined when it is not. */
export function readRefusalAnswer(trip: Trip, status: number, text: string): unknown {
  const { contract, settings } = trip.call
  const schema = contract.refusalAnswers?.[status]
  if (!schema) return undefined
  try {
    return settings.check(schema, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The body ended early. A GET may be sent again; what a POST created is created. */
export function cutOff(trip: Trip): ResponseError {
  const complaint = `answered ${trip.status}, but the body was cut off.`
  return failure(ResponseError, { trip, complaint, retryable: trip.call.repeatable, fields: {} })
}

function parseJson(trip: Trip, response: Response, text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw notJson(trip, response.headers.get('content-type') ?? '', text)
  }
}

// Broken JSON may come whole the next time; a page of a proxy or a login will not.
function notJson(trip: Trip, contentType: string, text: string): ResponseError {
  const isGarbled = /\bjson\b/i.test(contentType)
  const clean = (said: string) => quote(said, { secrets: trip.call.secrets(), length: longestSnippet })
  return failure(ResponseError, {
    trip,
    complaint: `answered ${trip.status} with ${isGarbled ? 'broken JSON' : 'something that is no JSON'}.`,
    retryable: isGarbled && trip.call.repeatable,
    fields: { snippet: clean(text), ...(contentType && { contentType: clean(contentType) }) },
  })
}

function settleDrift(trip: Trip, value: unknown, issues: readonly Issue[]): unknown {
  const { onUnexpectedResponse } = trip.call.settings
  tell(trip, { type: 'drift', issues })
  const complaint = `answered ${trip.status} in another shape than documented: ${issues.map((issue) => issue.message).join(' ')}`
  const error = failure(ResponseError, { trip, complaint, fields: { issues } })
  if (onUnexpectedResponse === 'throw') throw error
  // biome-ignore lint/suspicious/noConsole: the caller asked for it
  if (onUnexpectedResponse === 'warn') console.warn(error.message)
  return value
}
