// A message contains the error and variable parts: ids, times, locations. These are replaced by one
// marker, so that the same error on another order has the same text. One marker for all, because eight hex digits
// may all be decimal, and a host may be an address. Parts that distinguish errors are protected first.

const mark = '#'
const maxReadLength = 768
const maxKeptLength = 512

/** One step of message normalization. The documentation lists the rules in this order, with their examples. */
export type MessageRule = {
  readonly name: string
  /** Description for the documentation. */
  readonly description: string
  readonly example: readonly [before: string, after: string]
  /** Whether the rule could change the text. Most messages need few rules. */
  readonly mayApply?: (text: string) => boolean
  readonly apply: (text: string) => string
}

/** Every repetition has an upper bound, so matching takes linear time. */
const patterns = {
  code: /\b(?:status(?:[ _-]?code)?|http(?:\/\d(?:\.\d)?)?|(?:error|exit|response|result|return)[ _-]?code|errno|sqlstate|hresult|ntstatus|signal|exited with(?: code)?|exit status|error(?= #\d))(?: is| was| of)?[\s:=#([]{1,3}(?:0x[0-9a-f]{1,8}|\d{1,6})\b/gi,
  /** Error codes of databases and compilers. */
  namedCode:
    /\b(?:(?:ORA|PLS|TNS|RMAN|AADSTS|MSB|NETSDK|MY)-?\d{4,6}|(?:[Ee]rror|ERROR|[Ww]arning)(?: code:?)?[ [][A-Z]{1,3}\d{2,5}|IPv[46])\b/g,
  namedHost:
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|(?:resolve|lookup|translate|reach|find)(?: the)? (?:host(?: ?name)?|server|address|domain)|dial tcp:? lookup)[\s:"'(]{1,3}(?:[a-z0-9_-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,62}/gi,
  quoted:
    /=\s?(?:'[^'\n]{0,500}'|"[^"\n]{0,500}"|(?:true|false)\b)|(?<=\))=\([^()\n]{0,500}\)|(?<=\brow contains )\([^\n]{0,500}\)/gi,
  /** Keys in JSON that identify the error. */
  json: /"((?!\w{0,40}(?:error|code|type|message|msg|status|reason|detail|title))\w{1,60})"\s?:\s?"[^"\n]{0,500}"/gi,
  url: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`)\]}]{1,2000}/gi,
  email: /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi,
  host: /(?<![\w.-])(?:localhost|(?:[a-z0-9_-]{1,63}\.){1,8}(?:com|org|net|io|dev|edu|gov|mil|local|internal|intranet|lan|localdomain|localhost|test|example|invalid|cloud|arpa|svc)|(?:[a-z0-9_-]{1,63}\.){2,8}(?:[a-z]{2}|app|info|site|online|tech|host|aws))(?![\w-]|\.\w| is (?:not (?:an? |defined|iterable)|undefined|null))/g,
  home: /((?:\/home|\/Users|[A-Z]:\\Users)[\\/])[^\\/\s'"`:;,()<>]{1,64}/g,
  temporary:
    /(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s'"`:;,()<>]{1,500}|\\AppData\\Local\\Temp\\[^\s'"`;,()<>]{1,500}/gi,
  uuid: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /** MAC addresses, certificate fingerprints. */
  octets: /(?<![\w:-])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){4,31}(?![\w:-])/gi,
  address:
    /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=[0-9a-f:]{0,39}::)(?=[0-9a-f:]{0,39}\d)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8})(?:%\w{1,20})?(?![\w:])/gi,
  date: /\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? {1,2})?(?:\d{1,2}[ /-](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6} {1,2}\d{1,2}(?:st|nd|rd|th)?)(?:,?[ /-]\d{2,4})?(?![\w])/g,
  time: /(?:\b\d{4}-\d\d-\d\d[T ]|\b)\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?(?:[AP]M\b|Z\b|GMT\b|UTC\b)|\s?[+-]\d\d:?\d\d\b)?/gi,
  /** Durations with several units, as in Go. */
  duration: /(?<![\w.])(?:\d{1,9}(?:\.\d{1,9})?(?:d|h|ms|m|s|us|µs|ns)){2,6}(?!\w)/g,
  amount:
    /(?<![\w.])[-+]?\d{1,40}(?:[.,]\d{1,40}){0,10}(?:e[-+]?\d{1,4})?(?:\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|[KMGT]i?B|bytes?|B|%|st|nd|rd|th)(?!\w))?(?![\w])/gi,
  jwt: /\beyJ[\w-]{5,2000}(?:\.[\w-]{0,2000}){1,2}/g,
  /** Kubernetes pods of a deployment: its name, a hash, and five characters of an alphabet without vowels. */
  pod: /(?<=[a-z0-9])-[0-9a-f]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}(?![A-Za-z0-9-])/g,
  /** `cus_NffrFeUfNV2Hib` */
  prefixedToken:
    /(?<![A-Za-z0-9])([a-z]{2,8}_)(?=[A-Za-z]{0,40}\d)(?=[a-z0-9]{0,40}[A-Z])[A-Za-z0-9]{12,40}(?![A-Za-z0-9])/g,
  /** The default of nanoid. */
  joinedToken: /(?<![\w-])[\w-]{21}(?![\w-])/g,
  word: /[A-Za-z0-9]+/g,
  /** Only letters. */
  hexWord: /(?<![A-Za-z0-9])[a-f]{8,768}(?![A-Za-z0-9])/gi,
  /** Parts of a date, address, or version may have been replaced one by one. */
  neighbors: /#(?:[\s,./:+TZ-]{0,2}#)+/g,
}

/** Names of things: addresses, `web-1`, `Backup 2`; not `5 errors`, `HTTP 2 ms`, and `Found 5 errors`. */
const names = [
  /(?<![\w:-])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?![\w:-])/gi,
  /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`)\]}]{1,300}/gi,
  /(?<![\w.-])(?:(?:[a-z0-9_-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,23}|(?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?(?![\w-])/gi,
  /(?<![\w.-])[a-z][a-z_-]{0,40}\d{1,4}(?:[_-]?[a-z]{1,20}\d{0,4}){0,3}(?::\d{1,5})?(?![\w%])/gi,
  /(?<![\w.-])[A-Z]\w{1,40} #?\d{1,4}(?![\w%]|[.,]\d|\s(?:ms|s|m|h|secs?|mins?|hrs?|[KMGT]i?B|bytes?|percent|of)\b|\s(?!(?:is|was|has|does|goes|fails|runs)\b)[a-z]{2,20}s\b)/g,
]

/** The host of a URL. */
const urlAround = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/:@?#"'<>`)\]}]{1,253})[^\s"'<>`)\]}]{0,2000}/gi
/** Addresses and names such as `web1` and `db-02`, without a port. */
const machines = [
  /(?<![\w.-])(?:(?:[a-z0-9_-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,23}|(?:\d{1,3}\.){3}\d{1,3})(?![\w-])/gi,
  /(?<![\w.-])[a-z][a-z-]{0,40}\d{1,3}(?![\w%-]|\.\w)/gi,
]

// Protected parts are encoded with private-use characters while the other rules run, and restored at the end.
const firstHidden = 0xe000
const visible = '0123456789.:/@-'
const hiddenCharacters = /[\uE000-\uE00E]/g
const hide = (text: string): string =>
  text.replace(/[\d.:/@-]/g, (character) => String.fromCharCode(firstHidden + visible.indexOf(character)))
const hideDots = (text: string): string => text.replaceAll('.', String.fromCharCode(firstHidden + visible.indexOf('.')))
const show = (text: string): string =>
  text.replace(hiddenCharacters, (character) => visible.charAt(character.charCodeAt(0) - firstHidden))

/** Protects the names of things from the rules. */
export const hideNames = (text: string): string => names.reduce((hidden, name) => hidden.replace(name, hide), text)

/** Protects the names of machines from the rules. */
export const hideMachines = (text: string): string =>
  machines.reduce((hidden, machine) => hidden.replace(machine, hide), firstLines(text).replace(urlAround, '$1'))

const hasDigit = (text: string): boolean => /\d/.test(text)
const has =
  (...signs: readonly string[]) =>
  (text: string): boolean =>
    signs.some((sign) => text.includes(sign))
const replaced =
  (pattern: RegExp, by = mark) =>
  (text: string): string =>
    text.replace(pattern, by)

const onlyHex = /^(?:0x)?[0-9a-f]+$/i
const changes = /[a-z](?=\d)|\d(?=[a-z])/gi
const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * Letters mixed with digits: a hexadecimal or random id is replaced as a whole; in a name such as `utf8`, only
 * the number. No English word has eight letters from a to f in a row.
 */
const normalizeWord = (text: string): string => {
  if (!hasDigit(text)) return text.length >= 8 && onlyHex.test(text) ? mark : text
  if (onlyHex.test(text)) return mark
  const isMixed = countMatches(text, changes) >= 3 || text.length >= 20
  const isToken = text.length >= 8 && countMatches(text, /\d/g) >= 4
  return isMixed || isToken ? mark : text.replace(/\d+/g, mark)
}

const replaceTokens = (text: string): string =>
  text
    .replace(patterns.prefixedToken, `$1${mark}`)
    .replace(patterns.joinedToken, (token) => (isJoinedToken(token) ? mark : token))
    .replace(patterns.word, normalizeWord)

const isJoinedToken = (text: string): boolean => hasDigit(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

const firstLines = (message: string): string =>
  message
    .slice(0, maxReadLength)
    .split(/\r?\n/, 50)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2)
    .join('\n')

export const messageRules: readonly MessageRule[] = [
  {
    name: 'lines',
    description: 'keeps only the first two lines that are not blank',
    example: ['no cart\n\nof ann\nin the shop', 'no cart\nof ann'],
    apply: firstLines,
  },
  {
    name: 'error codes',
    description:
      'keeps numbers after status, HTTP, error code, exit code, errno, HRESULT, signal, or SQLSTATE, and codes such as `ORA-00942`, `error TS2322`, and IPv6. A number after “code” alone is replaced',
    example: ['Request failed with status code 404 after 30 ms', 'Request failed with status code 404 after #'],
    mayApply: hasDigit,
    apply: (text) => text.replace(patterns.code, hide).replace(patterns.namedCode, hide),
  },
  {
    name: 'hosts of network errors',
    description: 'keeps a host after ENOTFOUND, ECONNREFUSED, and similar codes, or after “resolve host”',
    example: ['getaddrinfo ENOTFOUND db.internal', 'getaddrinfo ENOTFOUND db.internal'],
    mayApply: has('.'),
    apply: (text) => text.replace(patterns.namedHost, hideDots),
  },
  {
    name: 'values',
    description:
      'replaces quoted text, true, and false after `=`, and strings in JSON, except those that name an error. Other quoted words are kept',
    example: ["no row with name='ann' in table 'carts'", "no row with name=# in table 'carts'"],
    mayApply: has('=', '":', '" :', 'row contains ('),
    apply: (text) => text.replace(patterns.quoted, `=${mark}`).replace(patterns.json, `"$1":${mark}`),
  },
  {
    name: 'URLs',
    description: 'replaces URLs',
    example: ['no answer from https://shop.example/pay?id=7', 'no answer from #'],
    mayApply: has('://'),
    apply: replaced(patterns.url),
  },
  {
    name: 'email addresses',
    description: 'replaces email addresses',
    example: ['no mailbox ann@shop.example', 'no mailbox #'],
    mayApply: has('@'),
    apply: replaced(patterns.email),
  },
  {
    name: 'hosts',
    description: 'replaces host names',
    example: ['lost web-1.shop.example while paying', 'lost # while paying'],
    mayApply: has('.', 'localhost'),
    apply: replaced(patterns.host),
  },
  {
    name: 'dates',
    description: 'replaces dates, including names of weekdays and months',
    example: ['no rate for Mon, 02 Jan 2006', 'no rate for #'],
    mayApply: hasDigit,
    apply: replaced(patterns.date),
  },
  {
    name: 'temporary files and home directories',
    description: 'replaces paths of temporary files, and user names in paths of home directories',
    example: ["cannot open '/tmp/upload-8f3a/a.png'", "cannot open '#'"],
    mayApply: has('/tmp/', '/var/', '\\Temp\\', '/home/', 'Users'),
    apply: (text) => text.replace(patterns.temporary, mark).replace(patterns.home, `$1${mark}`),
  },
  {
    name: 'UUIDs',
    description: 'replaces UUIDs',
    example: ['no row 5f0e1d2c-0000-4000-8000-000000000001', 'no row #'],
    mayApply: has('-'),
    apply: replaced(patterns.uuid),
  },
  {
    name: 'IPv6 addresses, MAC addresses, and times',
    description: 'replaces IPv6 addresses, MAC addresses, and times',
    example: ['refused by ::1 at 10:30:00', 'refused by # at #'],
    mayApply: has(':', '-'),
    apply: (text) => text.replace(patterns.octets, mark).replace(patterns.address, mark).replace(patterns.time, mark),
  },
  {
    name: 'pod names',
    description: 'replaces the suffix of a Kubernetes deployment',
    example: ['pod shop-7c9f8b6d5-x2xkq is gone', 'pod shop-# is gone'],
    mayApply: has('-'),
    apply: replaced(patterns.pod, `-${mark}`),
  },
  {
    name: 'numbers',
    description: 'replaces IPv4 addresses, amounts, sizes, durations, and all other numbers, with their units',
    example: ['gave up on 10.0.0.7 after 1.5 s', 'gave up on # after #'],
    mayApply: hasDigit,
    apply: (text) => text.replace(patterns.duration, mark).replace(patterns.amount, mark),
  },
  {
    name: 'tokens',
    description:
      'replaces JSON Web Tokens and random words: after a short prefix such as `cus_`, with alternating letters and digits, with 8 or more characters and 4 digits, of hexadecimal digits, or with 20 or more characters. In `utf8`, only the number is replaced',
    example: ['utf8 of req_8sKd92Lm or abc12345 or V1StGXR8_Z5jdHi6B-myT', 'utf# of req_# or # or #'],
    apply: (text) => {
      const bare = text.includes('eyJ') ? text.replace(patterns.jwt, mark) : text
      // Without digits, as in most messages, a random word can only be hexadecimal letters.
      return hasDigit(bare) ? replaceTokens(bare) : bare.replace(patterns.hexWord, mark)
    },
  },
  {
    name: 'repeated marks',
    description: `merges adjacent marks and spaces, and keeps at most ${maxKeptLength} characters`,
    example: ['version 1.2.3-4 of 7/8', 'version # of #'],
    apply: (text) => show(text.replace(patterns.neighbors, mark)).replace(/ {2,}/g, ' ').slice(0, maxKeptLength),
  },
]
