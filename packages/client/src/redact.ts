const mask = '[redacted]'
// Shorter values are usually field names or known values, not secrets.
const shortestSecret = 5
// Longer parts are never quoted, and a body may have megabytes.
const longestSecret = 5_000

const patterns = [/\bservice_[\w-]+/g, /\b(bearer|basic)\s+[\w.~+/=-]+/gi]

// It starts after a character that no address contains. Otherwise the expression would try every start in a long word.
const address = /(^|[\s"'<>()[\]{},;:])[^\s"'<>()[\]{},;:]+@[^\s"'<>()[\]{},;]+/g

/** Quotes the beginning of a text from the platform, without secrets that it may have echoed. */
export function quote(text: string, { secrets, length }: { secrets: readonly string[]; length: number }): string {
  // Leaves room for text that masks shorten. More would make huge responses slow.
  return redact(text.slice(0, 10 * length), secrets).slice(0, length)
}

/** Removes the given secrets, tokens and e-mail addresses from a text. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, mask)
  for (const pattern of patterns) clean = clean.replace(pattern, mask)
  return clean.replace(address, `$1${mask}`)
}

/**
 * Every text in credentials and bodies, as is and escaped for JSON and HTML. Longest first, as one may contain another. In
 * bodies, ordinary words such as `admin` and `ticket.created` are only secrets in fields that are named like one.
 */
export function secretsIn(credentials: readonly unknown[], ...bodies: readonly unknown[]): string[] {
  const found = new Set<string>()
  collect(credentials, found)
  collect(bodies, found, ordinaryWord)
  return [...found].sort((a, b) => b.length - a.length)
}

const secretName = /pass|secret|token|key|auth|header/i
const ordinaryWord = /^[a-z_]{1,12}([.:][a-z]{1,12})?$/i

/** Collects the texts that `except` does not match. */
function collect(value: unknown, found: Set<string>, except?: RegExp): void {
  if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) collect(each, found, secretName.test(name) ? undefined : except)
  if (typeof value !== 'string' || except?.test(value)) return
  const start = value.trim().slice(0, longestSecret)
  if (start.length >= shortestSecret) found.add(start).add(JSON.stringify(start).slice(1, -1)).add(toHtml(start))
}

const toHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[character] ?? '#39'};`)
