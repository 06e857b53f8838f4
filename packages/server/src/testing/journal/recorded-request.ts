import type { Micros } from '../../core/clock.ts'
import { parse } from '../contract/check-answer.ts'
import type { Violation } from '../contract/violation.ts'
import type { Operation } from '../operation.ts'
import type { Transport } from '../transport.ts'
import type { RowCounts } from './row-counts.ts'

/** A request as it is kept: raw, because most are never looked at. `journal-entry.ts` makes it fit to be seen. */
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
  /** In the shape of a request, so that a `RequestMatch` can be held against it. */
  readonly request: { readonly headers: Headers }
  /** Rows that it has changed, filled in as they are committed. */
  readonly rows: RowCounts
  /** Present when a valid token came along. */
  tokenId: number | undefined
  body: Uint8Array | undefined
  status: number | undefined
  answerHeaders: Headers | undefined
  answer: string | undefined
  durationMs: number | undefined
  fault: string | undefined
  /** What the caller got in place of an answer. */
  failure: string | undefined
  violations: readonly Violation[]
  /** Somebody has said that they expected this refusal. */
  expected: boolean
}

/** The body as JSON, or as text where it is none; undefined where it was not read. */
export function bodyOf({ body }: Pick<RecordedRequest, 'body'>): unknown {
  return body === undefined || body.length === 0 ? undefined : decodeText(Buffer.from(body).toString('utf8'))
}

export const decodeText = (text: string): unknown => {
  const parsed = parse(text)
  return parsed === undefined ? text : parsed.json
}
