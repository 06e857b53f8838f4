import type { AttemptState } from './attempt.ts'
import { baseUrlHint } from './base-url-hint.ts'
import { emit } from './emit-event.ts'
import type { Issue } from './errors/details.ts'
import { ResponseError } from './errors/family.ts'
import { failure } from './failure.ts'
import { quote } from './redact.ts'

const longestSnippet = 200

/** Reads a success. Additional fields and new values are accepted. A missing field is drift. */
export function readAnswer(attempt: AttemptState, response: Response, text: string): unknown {
  const value = parseJson(attempt, response, text)
  const { contract, settings } = attempt.call
  // The first schema is that of success. The status does not decide, because the document says 201 and shows 200.
  const { data, issues } = settings.check(Object.values(contract.answers)[0], value)
  return issues ? settleDrift(attempt, value, issues) : data
}

/** A refusal that is a documented result, such as a punch of an unknown device. Otherwise undefined. */
export function readRefusalAnswer(attempt: AttemptState, status: number, text: string): unknown {
  const { contract, settings } = attempt.call
  const schema = contract.answers[status]
  if (!schema) return undefined
  try {
    return settings.check(schema, JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function parseJson(attempt: AttemptState, response: Response, text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    throw notJson(attempt, response, text)
  }
}

// Broken JSON may be complete the next time. A page of a proxy or a login will not change.
function notJson(attempt: AttemptState, response: Response, text: string): ResponseError {
  const contentType = response.headers.get('content-type') ?? ''
  const isGarbled = /\bjson\b/i.test(contentType)
  const clean = (said: string) => quote(said, { secrets: attempt.call.secrets(), length: longestSnippet })
  return failure(ResponseError, {
    trip: attempt,
    complaint: `answered ${attempt.status} with ${isGarbled ? 'broken JSON' : 'something that is no JSON'}${baseUrlHint(attempt.call, response)}.`,
    retryable: isGarbled && attempt.call.repeatable,
    fields: { snippet: clean(text), ...(contentType && { contentType: clean(contentType) }) },
  })
}

function settleDrift(attempt: AttemptState, value: unknown, issues: readonly Issue[]): unknown {
  const { onUnexpectedResponse } = attempt.call.settings
  emit(attempt, { type: 'drift', issues })
  const complaint = `answered ${attempt.status} in another shape than documented: ${issues.map((issue) => issue.message).join(' ')}`
  const error = failure(ResponseError, { trip: attempt, complaint, fields: { issues } })
  if (onUnexpectedResponse === 'throw') throw error
  // biome-ignore lint/suspicious/noConsole: the caller asked for it
  if (onUnexpectedResponse === 'warn') console.warn(error.message)
  return value
}
