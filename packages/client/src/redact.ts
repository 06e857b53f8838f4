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

/** Every text in bodies and headers, as is and escaped for JSON and HTML. Longest first, as one may contain another. */
export function secretsIn(...values: readonly unknown[]): string[] {
  const found = new Set<string>()
  collect(values, found)
  return [...found].sort((a, b) => b.length - a.length)
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each, found)
  if (typeof value !== 'string' || value.trim().length < shortestSecret) return
  const start = value.slice(0, longestSecret)
  found.add(start).add(start.trim()).add(JSON.stringify(start).slice(1, -1)).add(toHtml(start))
}

const toHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[character] ?? '#39'};`)
