import type { Method } from '@service/contract/route'
import type { Fetch } from './client-options.ts'

/** One request, as plain values that every runtime accepts. */
export interface Outgoing {
  readonly url: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
}

/**
 * The only place that uses the network: one request, one response, no policy. Redirects are never followed, because
 * `fetch` would send custom headers to the other origin and turn a POST into a GET. `manual` instead of `error`,
 * because workers support only that.
 */
export async function send(fetch: Fetch | undefined, { url, ...request }: Outgoing): Promise<Response> {
  const init = { ...request, body: request.body ?? null, redirect: 'manual' } as const
  // A custom `fetch` receives one `Request`, which in-process servers and replacements of the global `fetch` accept.
  return fetch ? fetch(new Request(url, init)) : globalThis.fetch(url, init)
}
