import { UnreadableBody } from '../../sanitise/decode.ts'
import type { FormPair } from './form-record.ts'

// The runtime's own reader, `new Response(body).formData()`, was measured and not taken: 1 MiB of empty parts keeps it
// busy for 64 ms on Node 24, it knows no limits, and it throws a whole body away for a missing last delimiter or for lines
// that end in LF. It is asynchronous as well. A body that is in memory anyway needs no more than a search for its
// delimiter: the same body takes 3 ms here, as parts beyond the limit are not looked at.

const mostParts = 1_000
const longestHead = 8 * 1024
const longestBoundary = 200
const mostFilesNamed = 20

/** The question under which a lead's notes say what came with it and was not kept. */
export const filesQuestion = 'Files left out'

/** Two dashes and the boundary, which the first line of a body consists of. */
const firstBoundary = (start: string): string | null => {
  const [line = ''] = start.trimStart().split('\n', 1)
  const boundary = line.trimEnd().slice(2)
  return line.startsWith('--') && boundary !== '' && boundary.length <= longestBoundary ? boundary : null
}

/** Clients that set the header by hand forget the boundary; the body has it, too. */
const boundaryOf = (contentType: string, start: string): string | null => {
  const named = /;[ \t]*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType)
  const boundary = named?.[1] ?? named?.[2] ?? ''
  return boundary !== '' && boundary.length <= longestBoundary ? boundary : firstBoundary(start)
}

const startOf = (body: Uint8Array) =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1_024)).toString('latin1')

/** Also without a header that says so: no other body begins like one. */
export const looksLikeMultipart = (contentType: string, body: Uint8Array): boolean => {
  const start = startOf(body)
  const isNamed = /^\s*multipart\/form-data/i.test(contentType)
  return (
    (isNamed && start.includes('--')) ||
    (firstBoundary(start) !== null && /content-disposition:[ \t]*form-data/i.test(start))
  )
}

const parameterOf = (disposition: string, name: 'name' | 'filename'): string | null => {
  const pattern =
    name === 'name' ? /;[ \t]*name=(?:"([^"]*)"|([^\s;"]+))/i : /;[ \t]*filename\*?=(?:"([^"]*)"|([^\s;"]+))/i
  const found = pattern.exec(disposition)
  if (found === null) return null
  // Browsers escape exactly these three signs, and no others (HTML, "multipart form data").
  const escaped: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' }
  return (found[1] ?? found[2] ?? '').replace(/%22|%0D|%0A/gi, (sign) => escaped[sign.toLowerCase()] ?? sign)
}

const headerIn = (head: string, name: string): string =>
  head.split(/\r?\n/).find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? ''

/** Apache's HttpClient labels its texts ISO-8859-1. An encoding that nobody knows is read as UTF-8. */
const decoderOf = (type: string): TextDecoder => {
  const charset = /charset="?([\w-]{1,40})/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

type Part = { readonly head: string; readonly content: Buffer }

/** The blank line that ends the head, and its length; lines may end in LF alone. */
const headEnd = (part: Buffer): readonly [end: number, gap: number] => {
  const start = part.subarray(0, longestHead)
  const crlf = start.indexOf('\r\n\r\n')
  const lf = start.indexOf('\n\n')
  return crlf !== -1 && (lf === -1 || crlf < lf) ? [crlf, 4] : [lf, 2]
}

const partOf = (bytes: Buffer): Part | null => {
  const [end, gap] = headEnd(bytes)
  return end === -1 ? null : { head: bytes.toString('utf8', 0, end), content: bytes.subarray(end + gap) }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** A delimiter counts only at the beginning of a line. */
const delimiterFrom = (body: Buffer, delimiter: Buffer, from: number): number => {
  let at = body.indexOf(delimiter, from)
  while (at > 0 && body[at - 1] !== lineFeed) at = body.indexOf(delimiter, at + 1)
  return at
}

const lengthOfLineEnd = (body: Buffer, at: number) => (body[at - 2] === carriageReturn ? 2 : 1)

/** The last part may lack its end: what a broken connection left of a form is still an enquiry. */
function* partsOf(body: Buffer, delimiter: Buffer): Generator<Part> {
  let at = delimiterFrom(body, delimiter, 0)
  for (let count = 0; at !== -1 && count < mostParts; count += 1) {
    const lineEnd = body.indexOf(lineFeed, at + delimiter.length)
    const isLast = body.toString('latin1', at + delimiter.length, at + delimiter.length + 2) === '--'
    if (isLast || lineEnd === -1) return
    const next = delimiterFrom(body, delimiter, lineEnd + 1)
    // A part without content ends where its head does, and the line end between them is the delimiter's.
    const end = next === -1 ? body.length : Math.max(lineEnd + 1, next - lengthOfLineEnd(body, next))
    const part = partOf(body.subarray(lineEnd + 1, end)) ?? partOf(body.subarray(lineEnd + 1, next === -1 ? end : next))
    if (part !== null) yield part
    at = next
  }
}

/** The fields of a `multipart/form-data` body. Files are not kept; a field names them with their sizes. */
export const readMultipart = (contentType: string, body: Uint8Array): readonly FormPair[] => {
  const boundary = boundaryOf(contentType, startOf(body))
  if (boundary === null) throw new UnreadableBody('The multipart body has no boundary.')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const pairs: FormPair[] = []
  const files: string[] = []
  for (const { head, content } of partsOf(bytes, Buffer.from(`--${boundary}`, 'latin1'))) {
    const disposition = headerIn(head, 'content-disposition')
    const name = parameterOf(disposition, 'name')
    const filename = parameterOf(disposition, 'filename')
    if (name === null) continue
    if (filename === null) pairs.push([name, decoderOf(headerIn(head, 'content-type')).decode(content)])
    else if (content.length > 0) files.push(`${filename || name} (${content.length} bytes)`)
  }
  if (pairs.length === 0 && files.length === 0) throw new UnreadableBody('The multipart body has no fields.')
  return files.length === 0 ? pairs : [...pairs, [filesQuestion, files.slice(0, mostFilesNamed).join(', ')]]
}
