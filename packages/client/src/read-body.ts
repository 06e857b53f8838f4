import type { AttemptState } from './attempt.ts'
import { baseUrlHint } from './base-url-hint.ts'
import { createError } from './create-error.ts'
import { emit } from './emit-event.ts'
import type { Issue } from './errors/details.ts'
import { ResponseError } from './errors/family.ts'
import { quote } from './redact.ts'

const longestSnippet = 200

/** Reads a success. Additional fields and new values are accepted. A missing field is drift. */
export function readSuccessBody(attempt: AttemptState, response: Response, text: string): unknown {
  const value = parseJson(attempt, response, text)
  const { route, settings } = attempt.call
  // The first schema is that of success. The status is ignored, because the document states 201 but shows 200.
  const { data, issues } = settings.check(Object.values(route.responses)[0], value, attempt)
  return issues ? handleUnexpectedShape(attempt, value, issues) : data
}

/** An error status that is a documented result, such as a punch of an unknown device. Otherwise undefined. */
export function readDocumentedErrorBody(attempt: AttemptState, status: number, text: string): unknown {
  const { route, settings } = attempt.call
  const schema = route.responses[status]
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
    throw notJsonError(attempt, response, text)
  }
}

// Broken JSON may be complete the next time. A page of a proxy or a login will not change.
function notJsonError(attempt: AttemptState, response: Response, text: string): ResponseError {
  const contentType = response.headers.get('content-type') ?? ''
  const isGarbled = /\bjson\b/i.test(contentType)
  const clean = (text: string) => quote(text, { secrets: attempt.call.secrets(), length: longestSnippet })
  return createError(ResponseError, {
    attempt,
    message: `answered ${attempt.status} with ${isGarbled ? 'broken JSON' : 'something that is not JSON'}${baseUrlHint(attempt.call, response)}.`,
    retryable: isGarbled && attempt.call.repeatable,
    fields: { snippet: clean(text), ...(contentType && { contentType: clean(contentType) }) },
  })
}

function handleUnexpectedShape(attempt: AttemptState, value: unknown, issues: readonly Issue[]): unknown {
  const { onUnexpectedResponse } = attempt.call.settings
  emit(attempt, { type: 'drift', issues })
  const message = `answered ${attempt.status} in a shape that is not documented: ${issues.map((issue) => issue.message).join(' ')}`
  const error = createError(ResponseError, { attempt, message, fields: { issues } })
  if (onUnexpectedResponse === 'throw') throw error
  // biome-ignore lint/suspicious/noConsole: the caller asked for it
  if (onUnexpectedResponse === 'warn') console.warn(error.message)
  return value
}
