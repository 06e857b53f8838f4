import { didYouMean } from '@service/contract/nearest'

/** What is wrong with a database URL, without any part of it: in a malformed one, each may belong to the password. */
export function findUrlProblem(url: string): string | undefined {
  if (isEscaped(url) && hasSeveralHosts(url))
    return "must name one host. For failover, use an address that leads to the primary: a proxy, a pooler, or the provider's endpoint."
  const problem = isEscaped(url) && URL.canParse(withHost(url)) ? findParameterProblem(url) : malformed
  // In a query with an @, what looks like a parameter may belong to the password.
  return problem !== undefined && /^[^?]*\?.*@/.test(url) ? malformed : problem
}

const malformed =
  'must be a valid URL, such as postgres://user:password@host:5432/database. Percent-encode special characters in the user and the password: % as %25, / as %2F, ? as %3F, # as %23, @ as %40, : as %3A.'

/**
 * The parameters that pg reads, and those of libpq that may be ignored. It ignores all others without a word, so that a
 * misspelled `sslmode` would connect without TLS.
 */
const parameters = [
  ...[
    'host',
    'port',
    'user',
    'password',
    'application_name',
    'fallback_application_name',
    'client_encoding',
    'options',
  ],
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'uselibpqcompat'],
  ...['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
  ...['connect_timeout', 'keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
  ...['tcp_user_timeout', 'target_session_attrs', 'load_balance_hosts', 'sslsni', 'sslcompression', 'channel_binding'],
]

const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

function findParameterProblem(url: string): string | undefined {
  for (const [name, value] of parseDatabaseUrl(url).searchParams) {
    if (!parameters.includes(name))
      return `has the parameter "${name}", which is not supported.${didYouMean(name.toLowerCase(), parameters) || ' Remove it.'}`
    if (name === 'sslmode' && !tlsModes.includes(value))
      return `has the sslmode "${value}", which is unknown. Use one of ${tlsModes.join(', ')}.`
  }
  return undefined
}

/** The driver accepts `postgres://user@/db?host=/socket`, whose host is empty. */
const withHost = (url: string) => url.replace('@/', '@localhost/')

export const parseDatabaseUrl = (url: string): URL => new URL(withHost(url))

/** The driver treats these modes as verify-full, but warns that its next version will not. */
export function withVerifiedTls(url: string): string {
  if (url.includes('uselibpqcompat=true')) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

/** Otherwise a character of the user or the password moves the parts of the URL. */
function isEscaped(url: string): boolean {
  if (!/^[a-z]+:\/\/[^/?#@]*(?:@[^/?#@]*)?(?:\/[^?#@]*)?(?:\?[^#@=]*(?:=[^#]*)?)?$/.test(url)) return false
  try {
    return decodeURIComponent(url) !== ''
  } catch {
    return false
  }
}

/** `postgres://a,b/db` and `postgres:///db?host=a,b`, which the driver would take for one name. */
function hasSeveralHosts(url: string): boolean {
  const [address = '', query = ''] = url.replace(/^[a-z]+:\/\//, '').split('?')
  const [authority = ''] = address.split('/')
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return `${host}${new URLSearchParams(query).get('host') ?? ''}`.includes(',')
}
