import { isSecretKey } from './secret-key.ts'

export const masked = '[masked]'

// Each expression starts with a rare token and has bounded repetition, so that matching takes linear time.

const keyword =
  'pass(?:word|wd|phrase)|pwd|[\\w-]{0,20}secret|(?:access|refresh|auth|api|id|bearer|csrf|xsrf|session)?[_-]?token|api[_-]?key|(?:access|account|google|private|signing|encryption)[_-]?key|shared-?access-?signature|client[_-]?secret|sessionid|phpsessid|credentials?'

/**
 * `password=…`, `"apiKey": "…"`, `token => …`, and JSON in the text of JSON: `\"token\":\"…\"`. "using password: YES" does
 * not contain a password.
 */
const assignment = new RegExp(
  `((?:${keyword})[\\w-]{0,20}\\\\{0,15}["']?\\s{0,3}(?:=>|[:=])\\s{0,3})(?!(?:yes|no|true|false|null|none|undefined)\\b|\\[masked)("(?:[^"\\\\\\n]|\\\\.){0,2000}"|'(?:[^'\\\\\\n]|\\\\.){0,2000}'|(?<escape>\\\\{1,15})["'][^\\n]{0,2000}?(?<!\\\\)\\k<escape>["']|\\\\{0,15}["']?[^\\s&,;#"'<>\\\\]{1,2000})`,
  'gi',
)
/** A header's value runs to the end of its line. */
const header =
  /(\b(?:proxy-)?authorization|\b(?:set-)?cookie|\bx-api-key|\bx-auth-token)(\\{0,15}["']?\s{0,3}[:=]\s{0,3}\\{0,15}["']?)([^\r\n"'\\]{1,4000})/gi
const inQuery =
  /([?&](?:key|sig|signature|code|auth|access|session|sid|jwt|hmac|x-amz-(?:signature|credential|security-token))=)[^\s&#"'<>]{1,2000}/gi
/** `curl -u ada:…`, with other short options before it. */
const curlUser = /(\s(?:-[a-z]{0,8}u|--user|--proxy-user)[ =]{0,3}["']?[^\s:"']{1,200}:)[^\s"']{1,300}/gi
/** `--password …` */
const option = /(\s--[a-z-]{0,20}(?:password|secret|token|api-key)[= ]{1,3})[^\s=-]\S{0,2000}/gi
/** An element of XML or HTML that may be escaped. */
const element = /(?:<|&lt;)([\w:.-]{1,100})(?:\s[^<>&]{0,500})?(?:>|&gt;)/g
const maxElementLength = 4_000
/** `<add key="ApiKey" value="…"/>` */
const namedAttribute = /((?:key|name)\s?=\s?["']([\w:.-]{1,100})["']\s{1,3}value\s?=\s?["'])[^"'<>]{1,2000}/gi
const scheme = /(\b(?:bearer|basic|digest|token|apikey)\s{1,3})([\w.~+/-]{8,4000}={0,2})/gi
const userInfo = /(:\/\/[^\s/:@?#"']{0,200}:)[^\s/"']{1,300}@/g
const jwt = /(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{8,8000}(?:\.[\w-]{0,4000})?/g
const knownTokens =
  /(?<![\w-])(?:(?:sk|pk|rk)_(?:live|test)_\w{10,200}|sk-[\w-]{20,200}|gh[pousr]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,100}|xox[abeoprs]-[\w-]{10,200}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|AIza[\w-]{35}|npm_\w{30,60}|service_\w{16,200}|whsec_[\w+/=]{16,200}|SG\.[\w-]{16,40}\.[\w-]{16,80}|\d{8,12}:AA[\w-]{30,40})/g
/** Webhook URLs of chats, and tokens of Telegram's bots, which are a part of the path. */
const chatHook =
  /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,20}\/|\.webhook\.office\.com\/webhookb2\/|outlook\.office\.com\/webhook\/|chat\.googleapis\.com\/v1\/spaces\/|api\.telegram\.org\/(?:file\/)?bot\d{1,20}:)[^\s"'<>]{1,2000}/gi
const digits = /(?<![\w.])\d(?:[ -]?\d){12,18}(?![\w])/g

/** Card numbers by length and prefix. Timestamps and ids do not match. */
const issuers =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17})$/

const passesLuhn = (number: string): boolean => {
  let sum = 0
  for (let index = 0; index < number.length; index += 1) {
    const digit = number.charCodeAt(number.length - 1 - index) - 48
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled - (doubled > 9 ? 9 : 0)
  }
  return sum % 10 === 0
}

const maskCard = (text: string): string => {
  const number = text.replace(/[ -]/g, '')
  return issuers.test(number) && passesLuhn(number) ? masked : text
}

/** "Basic information" and "token expired" are prose; a credential after a scheme has digits or is long. */
const looksSecret = (value: string): boolean => /\d|=$|[a-z][A-Z]/.test(value) || value.length >= 24

const maskScheme = (whole: string, name: string, value: string): string =>
  looksSecret(value) ? `${name}${masked}` : whole

/** Found by position, because an expression from BEGIN to END would rescan from every BEGIN without an END. */
const maskPrivateKeys = (text: string): string => {
  const parts: string[] = []
  let from = 0
  for (;;) {
    const label = text.indexOf('PRIVATE KEY-----', from)
    if (label === -1) break
    // Searches only just before the label, because a search back to the start would be quadratic.
    const nearby = Math.max(from, label - 40)
    const found = text.slice(nearby, label).lastIndexOf('-----BEGIN')
    const end = text.indexOf('PRIVATE KEY-----', label + 16)
    const stop = end === -1 ? text.length : end + 16
    if (found !== -1) parts.push(text.slice(from, nearby + found), masked)
    else parts.push(text.slice(from, stop))
    from = stop
  }
  return parts.join('') + text.slice(from)
}

/** The content of elements with the name of a secret, to their end, or to the next element if the end is missing. */
const maskElements = (text: string): string => {
  const parts: string[] = []
  let from = 0
  for (const { 0: start, 1: name = '', index } of text.matchAll(element)) {
    const begin = index + start.length
    if (begin < from || start.endsWith('/>') || !isSecretKey(name.slice(name.lastIndexOf(':') + 1))) continue
    const nearby = text.slice(begin, begin + maxElementLength)
    const ends = [nearby.indexOf(`</${name}`), nearby.indexOf(`&lt;/${name}`)].filter((end) => end !== -1)
    const end = ends.length > 0 ? Math.min(...ends) : nearby.search(/<(?!!)|&lt;|$/)
    if (nearby.slice(0, end).trim() === '') continue
    parts.push(text.slice(from, begin), masked)
    from = begin + end
  }
  return parts.join('') + text.slice(from)
}

const maskNamedAttribute = (whole: string, start: string, key: string): string =>
  isSecretKey(key) ? `${start}${masked}` : whole

const maskMarkup = (text: string): string => maskElements(text).replace(namedAttribute, maskNamedAttribute)

const maskCommands = (text: string): string =>
  (text.includes('curl') ? text.replace(curlUser, `$1${masked}`) : text).replace(option, `$1${masked}`)

const maskAssignments = (text: string): string =>
  text
    .replace(header, (_whole, name: string, gap: string) => `${name}${gap}${masked}`)
    .replace(inQuery, `$1${masked}`)
    .replace(assignment, (_whole, name: string, value: string) => {
      const quote = /^\\{0,15}["']/.exec(value)?.[0] ?? ''
      return `${name}${quote}${masked}${quote}`
    })

/** A cheap check: every secret contains or follows one of these. Most file and function names have none. */
const suspicious = /[=: _<&-]|\d{4}|eyJ|A[KSI]|SG|:AA/

/** Masks the secrets in a text. */
export const maskText = (text: string): string => {
  if (!suspicious.test(text)) return text
  let result = text
  if (result.includes('PRIVATE KEY-----')) result = maskPrivateKeys(result)
  if (result.includes('eyJ')) result = result.replace(jwt, masked)
  if (result.includes('<') || result.includes('&lt;')) result = maskMarkup(result)
  if (result.includes('curl') || result.includes('--')) result = maskCommands(result)
  if (result.includes('://')) result = result.replace(userInfo, `$1${masked}@`).replace(chatHook, `$1${masked}`)
  if (result.includes('=') || result.includes(':')) result = maskAssignments(result)
  if (/[_-]|A[KSI]|SG|:AA/.test(result)) result = result.replace(knownTokens, masked)
  if (result.includes(' ')) result = result.replace(scheme, maskScheme)
  return /\d{4}/.test(result) ? result.replace(digits, maskCard) : result
}
