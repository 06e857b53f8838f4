import { STATUS_CODES } from 'node:http'
import { defaultOrigin } from '../../core/config.ts'
import { version } from '../../core/version.ts'
import type { JournalEntry } from './journal-entry.ts'

/** An HTTP archive (HAR 1.2), which browser tools open. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly object[]
  }
}

export const toHar = (entries: readonly JournalEntry[]): Har => ({
  log: { version: '1.2', creator: { name: '@service/server', version }, entries: entries.map(toHarEntry) },
})

function toHarEntry({ realAt, durationMs = 0, method, path, query, request, response, error }: JournalEntry): object {
  const url = new URL(defaultOrigin)
  url.pathname = path // as a base, `//x` would be a host
  url.search = new URLSearchParams(query).toString()
  const sent = toText(request.body)
  const received = toText(response?.body)
  const { status = 0, headers = {} } = response ?? {}
  return {
    startedDateTime: realAt.toISOString(),
    time: durationMs,
    request: {
      ...commonParts(request.headers, sent),
      method,
      url: url.href,
      queryString: toPairs(query),
      ...(sent === '' ? {} : { postData: { mimeType: request.headers['content-type'] ?? '', text: sent } }),
    },
    response: {
      ...commonParts(headers, received),
      status,
      statusText: error ?? STATUS_CODES[status] ?? '',
      content: { size: Buffer.byteLength(received), mimeType: headers['content-type'] ?? '', text: received },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

const commonParts = (headers: Readonly<Record<string, string>>, body: string) => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: toPairs(headers),
  headersSize: -1,
  bodySize: Buffer.byteLength(body),
})

const toPairs = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).map(([name, value]) => ({ name, value }))

function toText(body: unknown): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}
