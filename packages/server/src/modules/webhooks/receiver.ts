import { type FieldErrors, validation } from '../../api-error.ts'

const mostHeaders = 20
const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]{1,64}$/
const printable = /^[\t\x20-\x7E]*$/

/** What we set ourselves on every request, and what belongs to the connection. */
const reserved =
  /^(?:content-|transfer-|x-service-|webhook-|proxy-)|^(?:host|user-agent|connection|upgrade|expect|te|trailer|keep-alive)$/i

/** 422 unless a receiver can be reached and addressed so. Whether its address may be contacted is asked when it is dialled. */
export function requireReceiver({ url, headers }: Receiver): void {
  const errors: FieldErrors = {
    ...(url === undefined || isReceiverUrl(url) ? {} : { url: [urlComplaint] }),
    ...headerErrors(headers ?? {}),
  }
  if (Object.keys(errors).length > 0) throw validation(errors)
}

interface Receiver {
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const urlComplaint = 'The url field must be an http or https address without a user name or a fragment.'

function isReceiverUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '' && hash === ''
}

function headerErrors(headers: Readonly<Record<string, string>>): FieldErrors {
  const names = Object.keys(headers)
  if (names.length > mostHeaders)
    return { headers: [`The headers field must not have more than ${mostHeaders} items.`] }
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const complaint = headerComplaint(name, value)
      return complaint === undefined ? [] : [[`headers.${name}`, [`The header ${name} ${complaint}.`]]]
    }),
  )
}

function headerComplaint(name: string, value: string): string | undefined {
  if (!headerName.test(name)) return 'has a character that a name cannot have'
  if (reserved.test(name)) return 'is set by the platform'
  return printable.test(value) ? undefined : 'must be printable ASCII'
}
