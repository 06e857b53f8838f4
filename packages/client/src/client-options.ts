import type { OnEvent } from './events.ts'
import type { ClientHooks } from './hooks.ts'
import type { Token } from './token-source.ts'
import type { AppInfo } from './user-agent.ts'

/** Anything that answers a request: `globalThis.fetch`, an in-process server's `fetch`, a fake for tests. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** What `createClient` takes. Only the first three are required. */
export interface ClientOptions {
  /** Where the API stands, e.g. `https://example.com/api/v1`; with or without a slash at its end. */
  readonly baseUrl: string
  /** A workspace API token, or a function that fetches one; the function is asked again after a 401, once for all calls. */
  readonly token: Token
  /** The numeric id of the workspace that the token belongs to. */
  readonly workspace: number
  /** Used in place of the global `fetch`, which is looked up at every call. */
  readonly fetch?: Fetch | undefined
  /** For one attempt: connect, headers and body together. Default 15 000. */
  readonly timeoutMs?: number | undefined
  /** For a whole call: all attempts and the waiting between them. Default 60 000. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. Default 2. */
  readonly maxRetries?: number | undefined
  /** The longest answer that is read, in bytes as they are after decompression. Default 33 554 432 (32 MiB). */
  readonly maxResponseBytes?: number | undefined
  /** When the platform asks to wait longer than this, the call fails at once and says how long. Default 30 000. */
  readonly maxRetryAfterMs?: number | undefined
  /**
   * `auto` sends an `Idempotency-Key` with everything that creates, which makes every fault safe to retry. The
   * platform's document does not promise the header, so the default is `off`; `@service/server` honours it.
   */
  readonly idempotency?: 'auto' | 'off' | undefined
  /** What to do with an answer that lacks documented fields: `throw` (default), `warn` on the console, or `ignore`. */
  readonly onUnexpectedResponse?: 'throw' | 'warn' | 'ignore' | undefined
  /** Told what happens to each call that is sent. It cannot fail or delay one. */
  readonly onEvent?: OnEvent | undefined
  /** Functions around each request: to sign, to trace, to log. Loads ky when the first call is made. */
  readonly hooks?: ClientHooks | undefined
  /** Named in the `User-Agent` beside this package. */
  readonly appInfo?: AppInfo | undefined
  /** In a browser everybody can read the token; this says that you know. */
  readonly dangerouslyAllowBrowser?: boolean | undefined
  /** Accepts http:// for hosts other than this machine, where the token travels in the clear. */
  readonly allowInsecure?: boolean | undefined
  /** Milliseconds since 1970, for tests. */
  readonly clock?: (() => number) | undefined
  /** Waits between attempts, for tests. Must end early when the signal fires. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** From 0 up to 1, for tests: decides how long the waits are. */
  readonly random?: (() => number) | undefined
}
