import { decodeForeignText, UnreadableBody } from '../../sanitize/decode.ts'
import type { FormPair } from './form-record.ts'

// `new Response(body).formData()` is not used: it has no limits (1 MiB of empty parts takes 64 ms on Node 24, and 3 ms
// here), and it rejects a body with a missing last delimiter or with lines that end in LF.

const maxParts = 1_000
const maxHeadLength = 8 * 1024
const maxBoundaryLength = 200
const maxFilesNamed = 20

/** The label in a lead's notes for attachments that were not stored. */
export const filesQuestion = 'Files left out'

/** The boundary in the header or, if a client forgot it, in the first line of the body after two dashes. */
const findBoundary = (contentType: string, start: string): string | undefined => {
  const named = /;[ \t]*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType)
  const [line = ''] = start.trimStart().split('\n', 1)
  const found = [named?.[1] ?? named?.[2] ?? '', line.startsWith('--') ? line.trimEnd().slice(2) : '']
  return found.find((boundary) => boundary !== '' && boundary.length <= maxBoundaryLength)
}

const startOf = (body: Uint8Array) =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1_024)).toString('latin1')

/** The header may be missing: no other body begins like this. */
export const looksLikeMultipart = (contentType: string, body: Uint8Array): boolean => {
  const start = startOf(body)
  const isNamed = /^\s*multipart\/form-data/i.test(contentType)
  return (
    (isNamed && start.includes('--')) ||
    (findBoundary('', start) !== undefined && /content-disposition:[ \t]*form-data/i.test(start))
  )
}

const parameterIn = (disposition: string, pattern: RegExp): string | null => {
  const found = pattern.exec(disposition)
  // Browsers escape exactly these three characters (HTML, "multipart form data").
  return found === null ? null : (found[1] ?? found[2] ?? '').replace(/%(?:22|0D|0A)/gi, decodeURIComponent)
}

const headerIn = (head: string, name: string): string =>
  head.split(/\r?\n/).find((line) => line.toLowerCase().startsWith(`${name}:`)) ?? ''

type Part = { readonly head: string; readonly content: Buffer }

/** A blank line ends the head. Lines may end in LF alone. */
const parsePart = (bytes: Buffer): Part | null => {
  const start = bytes.subarray(0, maxHeadLength)
  const [crlf, lf] = [start.indexOf('\r\n\r\n'), start.indexOf('\n\n')]
  const [end, gap] = crlf !== -1 && (lf === -1 || crlf < lf) ? [crlf, 4] : [lf, 2]
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

/** The last part may lack its end: a form that a broken connection cut off is still an inquiry. */
function* splitParts(body: Buffer, delimiter: Buffer): Generator<Part> {
  let at = delimiterFrom(body, delimiter, 0)
  for (let count = 0; at !== -1 && count < maxParts; count += 1) {
    const lineEnd = body.indexOf(lineFeed, at + delimiter.length)
    const isLast = body.toString('latin1', at + delimiter.length, at + delimiter.length + 2) === '--'
    if (isLast || lineEnd === -1) return
    const next = delimiterFrom(body, delimiter, lineEnd + 1)
    // In a part without content, the line break after the head belongs to the delimiter.
    const end = next === -1 ? body.length : Math.max(lineEnd + 1, next - lengthOfLineEnd(body, next))
    const part =
      parsePart(body.subarray(lineEnd + 1, end)) ?? parsePart(body.subarray(lineEnd + 1, next === -1 ? end : next))
    if (part !== null) yield part
    at = next
  }
}

export type MultipartPart = Part & {
  /** The name of the field. */
  readonly name: string | null
  readonly filename: string | null
  /** The line of the head that starts with `Content-Type:`, or an empty text. */
  readonly type: string
}

const toNamedPart = ({ head, content }: Part): MultipartPart => {
  const disposition = headerIn(head, 'content-disposition')
  const name = parameterIn(disposition, /;[ \t]*name=(?:"([^"]*)"|([^\s;"]+))/i)
  const filename = parameterIn(disposition, /;[ \t]*filename\*?=(?:"([^"]*)"|([^\s;"]+))/i)
  return { head, content, name, filename, type: headerIn(head, 'content-type') }
}

/** The boundary of a multipart body and its parts, without what is before and after them. */
export const splitMultipart = (contentType: string, body: Uint8Array) => {
  const boundary = findBoundary(contentType, startOf(body))
  if (boundary === undefined) throw new UnreadableBody('The multipart body has no boundary.')
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return { boundary, parts: Array.from(splitParts(bytes, Buffer.from(`--${boundary}`, 'latin1')), toNamedPart) }
}

/** The fields of a `multipart/form-data` body. Files are not stored; a field lists their names and sizes. */
export const readMultipart = (contentType: string, body: Uint8Array): readonly FormPair[] => {
  const pairs: FormPair[] = []
  const files: string[] = []
  for (const { name, filename, type, content } of splitMultipart(contentType, body).parts) {
    if (name === null) continue
    if (filename === null) pairs.push([name, decodeForeignText(content, type)])
    else if (content.length > 0) files.push(`${filename || name} (${content.length} bytes)`)
  }
  if (pairs.length === 0 && files.length === 0) throw new UnreadableBody('The multipart body has no fields.')
  return files.length === 0 ? pairs : [...pairs, [filesQuestion, files.slice(0, maxFilesNamed).join(', ')]]
}
