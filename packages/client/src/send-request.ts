import type { Method } from '@service/contract/route'
import type { Fetch } from './client-options.ts'

/** One request, as plain values that every runtime takes. */
export interface Outgoing {
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

/**
 * The only place that touches the network: one request, one answer, no policy. A redirect is never followed, because
 * `fetch` would take custom headers along to the other origin and turn a POST into a GET; `manual` rather than `error`
 * because workers know only that.
 */
export async function send(fetch: Fetch | undefined, { url, ...request }: Outgoing): Promise<Response> {
  const init = { ...request, body: request.body ?? null, redirect: 'manual' } as const
  // A fetch of the caller gets one `Request`, which an in-process server and a replaced global `fetch` both take.
  return fetch ? fetch(new Request(url, init)) : globalThis.fetch(url, init)
}
