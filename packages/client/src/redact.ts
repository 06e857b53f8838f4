const mask = '[redacted]'
// Shorter words are field names and known values more often than secrets.
const shortestSecret = 5
// No more than this is ever quoted, and a body may hold megabytes.
const longestSecret = 5_000

const patterns = [/\bservice_[\w-]+/g, /\b(bearer|basic)\s+[\w.~+/=-]+/gi]

// It begins behind what cannot be in an address: an expression that may begin anywhere tries every start of a long word.
const address = /(^|[\s"'<>()[\]{},;:])[^\s"'<>()[\]{},;:]+@[^\s"'<>()[\]{},;]+/g

/** Quotes the beginning of what the platform wrote, without what it may have echoed. */
export function quote(text: string, { secrets, length }: { secrets: readonly string[]; length: number }): string {
  // Some room for what the masks take away; more would let a huge answer cost time.
  return redact(text.slice(0, 10 * length), secrets).slice(0, length)
}

/** Takes the given secrets, tokens and e-mail addresses out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, mask)
  for (const pattern of patterns) clean = clean.replace(pattern, mask)
  return clean.replace(address, `$1${mask}`)
}

/** Every text in a body and headers, as it is and as JSON or HTML would write it; longest first, as one may hold another. */
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
  text.replace(/[&<>"']/g, (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign] ?? '#39'};`)
