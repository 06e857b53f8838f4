import * as z from 'zod/mini'
import { parseJson } from '../../core/json.ts'
import type { Har } from './har.ts'
import { type Shape, shapeOf } from './shape.ts'

/** An answer, recorded or of this server. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Empty if there is none. */
  readonly body: string
  /** Present if the body is JSON. */
  readonly shape: Shape | undefined
}

/** An entry of a HAR. */
export interface Recorded {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly answer: Answer
}

const pairs = z.nullish(z.array(z.object({ name: z.string(), value: z.nullish(z.string()) })))
const text = z.nullish(z.string())
const harEntry = z.object({
  request: z.object({
    method: z.string(),
    url: z.string().check(z.refine((url) => URL.canParse(url))),
    headers: pairs,
    postData: z.nullish(z.object({ mimeType: text, text, params: pairs })),
  }),
  response: z.object({
    status: z.number(),
    headers: pairs,
    content: z.nullish(z.object({ text, encoding: text })),
  }),
})

type Entry = z.infer<typeof harEntry>
type Pairs = z.infer<typeof pairs>

/** Throws a TypeError that names the first entry that cannot be read. */
export function readRecorded(har: Har): Recorded[] {
  const entries: unknown = har?.log?.entries
  if (!Array.isArray(entries))
    throw new TypeError('`compareWith` takes a parsed HAR: an object with `log.entries`, such as JSON.parse(text).')
  return entries.map((entry: unknown, index) => {
    const { data, error } = harEntry.safeParse(entry)
    if (error !== undefined) throw invalid(index, `has no valid ${toField(error)}`)
    try {
      return toRecorded(data)
    } catch (problem) {
      throw problem instanceof RangeError ? invalid(index, 'has a body that is nested too deeply') : problem
    }
  })
}

const invalid = (index: number, problem: string) => new TypeError(`Entry ${index + 1} of the archive ${problem}.`)

const toField = ({ issues }: z.core.$ZodError) => issues[0]?.path.join('.') || 'fields'

function toRecorded({ request, response }: Entry): Recorded {
  const { text, encoding } = response.content ?? {}
  const body = encoding === 'base64' ? Buffer.from(text ?? '', 'base64').toString() : (text ?? '')
  return {
    method: request.method,
    url: new URL(request.url),
    ...toSent(request),
    answer: toAnswer(response.status, toHeaders(response.headers), body),
  }
}

/** Some recorders have forms only as parameters, and the content type only beside them. */
function toSent({ headers, postData }: Entry['request']): Pick<Recorded, 'headers' | 'body'> {
  const sent = toHeaders(headers)
  const { mimeType, text, params } = postData ?? {}
  const form = params?.map(({ name, value }): [string, string] => [name, value ?? ''])
  const isForm = (text ?? '') === '' && form !== undefined && form.length > 0
  const type = mimeType || (isForm ? 'application/x-www-form-urlencoded' : '')
  if (type !== '' && !sent.has('content-type')) sent.set('content-type', toHeaderValue(type))
  return { headers: sent, body: isForm ? new URLSearchParams(form).toString() : (text ?? undefined) }
}

/** Without the names of HTTP/2, which begin with a colon. */
const toHeaders = (pairs: Pairs): Headers =>
  new Headers(
    (pairs ?? [])
      .filter(({ name }) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
      .map(({ name, value }) => [name, toHeaderValue(value ?? '')]),
  )

/** Browsers join several cookies with a line break. */
const toHeaderValue = (value: string) => value.replaceAll(/[^\t\x20-\x7E\xA0-\xFF]+/g, ' ')

export function toAnswer(status: number, headers: Headers, body: string): Answer {
  const value = parseJson(body)
  return { status, headers, body, shape: value === undefined ? undefined : shapeOf(value) }
}
