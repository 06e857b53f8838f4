// A message names the error and, in between, the things it happened to: ids, times, places. Those are replaced by one
// mark, so that the same error on another order has the same text. One mark for all of them: eight hexadecimal digits
// are sometimes eight decimal ones, and a host is sometimes an address.

const mark = '#'
const longestRead = 8_192
const longestKept = 512

/** Every repetition has an upper bound, so the time grows with the length of the text and never faster. */
const patterns = {
  quoted: /=\s?(?:'[^'\n]{0,500}'|"[^"\n]{0,500}"|(?:true|false)\b)/gi,
  url: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>`)\]}]{1,2000}/gi,
  email: /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi,
  host: /(?<![\w.-])(?:localhost|(?:[a-z0-9_-]{1,63}\.){1,8}(?:com|org|net|io|dev|edu|gov|mil|local|internal|intranet|lan|localdomain|localhost|test|example|invalid|cloud|arpa|svc)|(?:[a-z0-9_-]{1,63}\.){2,8}(?:[a-z]{2}|app|info|site|online|tech|host|aws))(?![\w-]|\.\w| is (?:not (?:an? |defined|iterable)|undefined|null))/g,
  uuid: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  address:
    /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=[0-9a-f:]{0,39}::)(?=[0-9a-f:]{0,39}\d)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8})(?:%\w{1,20})?(?![\w:])/gi,
  date: /\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? {1,2})?(?:\d{1,2}[ -](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6} {1,2}\d{1,2}(?:st|nd|rd|th)?)(?:,?[ -]\d{2,4})?(?![\w])/g,
  time: /(?:\b\d{4}-\d\d-\d\d[T ]|\b)\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:\s?(?:[AP]M\b|Z\b|GMT\b|UTC\b)|\s?[+-]\d\d:?\d\d\b)?/gi,
  amount:
    /(?<![\w.])[-+]?\d{1,40}(?:[.,]\d{1,40}){0,10}(?:e[-+]?\d{1,4})?(?:\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|[KMGT]i?B|bytes?|B|%)(?!\w))?(?![\w])/gi,
}

const word = /[A-Za-z0-9]+/g
const hasDigit = /\d/
const onlyHex = /^(?:0x)?[0-9a-f]+$/i
const changes = /[a-z](?=\d)|\d(?=[a-z])/gi

/**
 * Letters mixed with digits: a hexadecimal or a random id goes as a whole; in a name such as `utf8` or `api1` only the
 * number goes. Eight letters from a to f in a row are no English word.
 */
const normaliseWord = (text: string): string => {
  if (!hasDigit.test(text)) return text.length >= 8 && onlyHex.test(text) ? mark : text
  if (onlyHex.test(text)) return mark
  const mixed = (text.match(changes)?.length ?? 0) >= 3 || text.length >= 20
  return mixed ? mark : text.replace(/\d+/g, mark)
}

/** The first two lines that say something: what follows is detail (a statement, a page, a list). */
const firstLines = (message: string): string =>
  message
    .slice(0, longestRead)
    .split(/\r?\n/, 50)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2)
    .join('\n')

const replaceStructured = (text: string): string => {
  let result = text
  if (result.includes('=')) result = result.replace(patterns.quoted, `=${mark}`)
  if (result.includes('://')) result = result.replace(patterns.url, mark)
  if (result.includes('@')) result = result.replace(patterns.email, mark)
  if (result.includes('.') || result.includes('localhost')) result = result.replace(patterns.host, mark)
  if (!hasDigit.test(result)) return result
  // Words of weekdays and months go with the date. Addresses before times: some of their groups look like one.
  result = result.replace(patterns.date, mark)
  if (result.includes('-')) result = result.replace(patterns.uuid, mark)
  if (result.includes(':')) result = result.replace(patterns.address, mark).replace(patterns.time, mark)
  return result.replace(patterns.amount, mark)
}

/** What stays the same when the same error happens to something else. */
export const normaliseMessage = (message: string): string => {
  const text = replaceStructured(firstLines(message)).replace(word, normaliseWord)
  // Parts of one date, address or version may have been replaced one by one.
  return text
    .replace(/#(?:[\s,./:+TZ-]{0,2}#)+/g, mark)
    .replace(/ {2,}/g, ' ')
    .slice(0, longestKept)
}
