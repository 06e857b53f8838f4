import type { App } from '../../context.ts'
import { isCallableUrl } from '../../core/config.ts'
import { type FieldErrors, validation } from '../../core/errors.ts'
import { createEgress } from '../../delivery/egress.ts'

const maxHeaders = 20
const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,64}$/
const printable = /^[\t\x20-\x7E]*$/

/** Headers that the platform sets or that belong to the connection. */
const reserved =
  /^(?:content-|transfer-|x-service-|webhook-|proxy-)|^(?:host|user-agent|connection|upgrade|expect|te|trailer|keep-alive|traceparent)$/i

/**
 * Throws 422 for an invalid URL or header. Literal private addresses are rejected here; host names are
 * checked when connecting, because DNS may have changed by then.
 */
export function requireReceiver({ config }: App, { url, headers }: Receiver): void {
  const errors: FieldErrors = {
    ...(url === undefined ? {} : urlErrors(url, config.egressAllow)),
    ...headerErrors(headers ?? {}),
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
}

interface Receiver {
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The canonical form of a URL: lower-case host, no default port, no fragment. */
export function normalUrl(value: string): string {
  const url = new URL(value)
  url.hash = ''
  return url.href
}

function urlErrors(value: string, egressAllow: readonly string[]): FieldErrors {
  if (!isReceiverUrl(value)) return { url: ['The url field must be an http or https address without a user name.'] }
  if (!isCallableUrl(value)) return { url: ['The url field must not have port 0. Use the port of the receiver.'] }
  const { hostname } = new URL(value)
  if (!createEgress(egressAllow).isPrivate(hostname)) return {}
  return {
    url: [
      `The url field must lead to the public internet, and ${hostname} does not. ` +
        'Allow it with the setting egressAllow (SERVICE_EGRESS_ALLOW).',
    ],
  }
}

export function isReceiverUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

function headerErrors(headers: Readonly<Record<string, string>>): FieldErrors {
  const names = Object.keys(headers)
  if (names.length > maxHeaders) return { headers: [`The headers field must not have more than ${maxHeaders} items.`] }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const isRepeated = names.some((other) => other !== name && other.toLowerCase() === name.toLowerCase())
      const problem =
        headerProblem(name, value) ?? (isRepeated ? 'is given twice, in different letter case' : undefined)
      return problem === undefined ? [] : [[`headers.${name}`, [`The header ${name} ${problem}.`]]]
    }),
  )
}

function headerProblem(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return 'contains a character that is not allowed in a header name'
  if (reserved.test(name)) return 'is set by the platform'
  return printable.test(value) ? undefined : 'must be printable ASCII'
}
