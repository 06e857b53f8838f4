import { firstAttempt } from './attempt.ts'
import { createError } from './create-error.ts'
import type { Issue } from './errors/details.ts'
import { InvalidRequestError, isServiceError } from './errors/family.ts'
import type { PreparedCall } from './prepared-call.ts'

/**
 * Writes a body as JSON. Refuses values that JSON would replace without an error, such as NaN by null or a FormData by
 * `{}`, because the platform would read other data than the caller gave.
 */
export function writeJson(call: PreparedCall, body: unknown): string {
  const paths = new Map<unknown, string>()
  const refusal = (path: string, reason = '') =>
    invalidRequest(call, [{ path, message: `The ${path || 'body'} field cannot be written as JSON${reason}.` }])
  function check(this: Readonly<Record<string, unknown>>, key: string, written: unknown) {
    const path = [paths.get(this), key].filter(Boolean).join('.')
    paths.set(written, path)
    const kind = kindOfLoss(this[key], written)
    if (kind) throw refusal(path, `: it is ${kind}${/Form|URL|Map|Head/.test(kind) ? '. Use Object.fromEntries' : ''}`)
    return written
  }
  try {
    return JSON.stringify(body, call.route.isLenient ? undefined : check)
  } catch (thrown) {
    throw isServiceError(thrown) ? thrown : refusal('')
  }
}

export function invalidRequest(call: PreparedCall, issues: readonly Issue[]): InvalidRequestError {
  const message = `was not sent: ${issues.map((issue) => issue.message).join(' ')}`
  return createError(InvalidRequestError, { attempt: firstAttempt(call), message, fields: { issues } })
}

const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)

/** The kind of a value that JSON does not have. `written` is the result of its `toJSON`, if there is one. */
function kindOfLoss(given: unknown, written: unknown): string | false {
  const kind = kindOf(written)
  if (kind === 'Number') return !Number.isFinite(written) && String(written)
  if (kind === 'Null') return kindOf(given) === 'Date' && 'Invalid Date'
  return !/^(Object|Array|String|Boolean|Undefined)$/.test(kind) && kind
}
