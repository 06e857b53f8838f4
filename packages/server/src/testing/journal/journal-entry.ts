import type { Micros } from '../../core/clock.ts'
import { parse } from '../contract/check-answer.ts'
import type { Violation } from '../contract/violation.ts'
import type { Operation, Transport } from '../observed-request.ts'
import { maskHeaders, maskQuery, maskSecrets, maskString } from './mask.ts'
import type { RowCount, RowCounts } from './row-counts.ts'

/** The kind of credential of a request, never the secret itself. */
export type RequestAuth =
  | { readonly kind: 'none' }
  /** `id` is present if the token is valid; `hint` is its last four characters. */
  | { readonly kind: 'token'; readonly id?: number; readonly hint: string }
  | { readonly kind: 'webhook secret' }
  | { readonly kind: 'device secret' }

/** The number of rows of a table that a request changed. */
export interface RowChange extends Readonly<RowCount> {
  readonly table: string
}

/** A request in the journal. Secrets in headers, queries, and bodies are masked. */
export interface JournalEntry {
  /** 1 for the first request since the start or the last reset. */
  readonly sequence: number
  /** When it arrived, by the server's clock. */
  readonly at: Date
  /** When it arrived, by the machine's clock. */
  readonly realAt: Date
  readonly transport: Transport
  /** The name in the client, e.g. `tickets.create`; undefined for routes that are not in the contract. */
  readonly operation: string | undefined
  readonly workspace: number | undefined
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly auth: RequestAuth
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    /** JSON, or text if it is not JSON; undefined if it was not read or not stored. */
    readonly body: unknown
  }
  /** Undefined while the request is in flight, or if the caller got an error instead. */
  readonly response:
    | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: unknown }
    | undefined
  /** The error instead of a response, e.g. `ECONNRESET`. */
  readonly error: string | undefined
  readonly durationMs: number | undefined
  /** The fault that applied. */
  readonly fault: string | undefined
  /** Contract violations, if checks are enabled. */
  readonly violations: readonly Violation[]
  /** Committed row changes by table. */
  readonly rows: readonly RowChange[]
}

/** Decodes and masks a recorded request. */
export function toEntry(recorded: RecordedRequest): JournalEntry {
  const { sequence, transport, method, path, operation } = recorded
  return {
    sequence,
    at: new Date(Math.floor(recorded.at / 1000)),
    realAt: new Date(recorded.realMs),
    transport,
    operation: operation?.route.operation,
    workspace: operation?.workspaceId,
    method,
    path,
    query: maskQuery(recorded.query),
    auth: toAuth(recorded),
    request: { headers: maskHeaders(recorded.request.headers), body: maskSecrets(bodyOf(recorded)) },
    response: toResponse(recorded),
    error: recorded.failure === undefined ? undefined : maskString(recorded.failure),
    durationMs: recorded.durationMs,
    fault: recorded.fault,
    violations: recorded.violations,
    rows: [...recorded.rows].map(([table, count]) => ({ table, ...count })).toSorted(byTable),
  }
}

const byTable = (a: RowChange, b: RowChange) => (a.table < b.table ? -1 : 1)

function toResponse({ status, answerHeaders, answer }: RecordedRequest): JournalEntry['response'] {
  if (status === undefined || answerHeaders === undefined) return undefined
  const body = answer === undefined ? undefined : maskSecrets(decodeText(answer))
  return { status, headers: maskHeaders(answerHeaders), body }
}

function toAuth({ request: { headers }, tokenId }: RecordedRequest): RequestAuth {
  const token = /^bearer +(\S+)/i.exec(headers.get('authorization') ?? '')?.[1]
  if (token !== undefined) {
    return { kind: 'token', ...(tokenId === undefined ? {} : { id: tokenId }), hint: token.slice(-4) }
  }
  if (headers.has('x-device-secret')) return { kind: 'device secret' }
  return { kind: headers.has('x-service-webhook-secret') ? 'webhook secret' : 'none' }
}

/** A request as it is stored: raw, because most entries are never read. */
export interface RecordedRequest {
  readonly sequence: number
  readonly at: Micros
  readonly realMs: number
  readonly transport: Transport
  readonly method: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  readonly operation: Operation | undefined
  /** In the shape of a request, so that it can be matched with a `RequestMatch`. */
  readonly request: { readonly headers: Headers }
  /** Rows changed, added on commit. */
  readonly rows: RowCounts
  violations: readonly Violation[]
  /** A test expected this error by its status. */
  expected: boolean
  /** Present if the request had a valid token. */
  tokenId?: number | undefined
  body?: Uint8Array | undefined
  status?: number
  answerHeaders?: Headers
  answer?: string | undefined
  durationMs?: number
  fault?: string | undefined
  /** The error instead of a response. */
  failure?: string
}

/** The body as JSON, or as text if it is not JSON; undefined if it was not read. */
export function bodyOf({ body }: Pick<RecordedRequest, 'body'>): unknown {
  return body === undefined || body.length === 0 ? undefined : decodeText(Buffer.from(body).toString('utf8'))
}

export const decodeText = (text: string): unknown => {
  const parsed = parse(text)
  return parsed === undefined ? text : parsed.json
}
