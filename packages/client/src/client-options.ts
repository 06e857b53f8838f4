import type { AnyServiceError } from './errors/family.ts'
import type { OnEvent } from './events.ts'
import type { ClientHooks } from './hooks.ts'
import type { Logger } from './logger.ts'
import type { Token } from './token-source.ts'
import type { AppInfo } from './user-agent.ts'

/** Any function with the parameters of `fetch`: the global one, the `fetch` of an in-process server, or a fake in tests. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

/**
 * Further options of `fetch`, such as `cache`, `credentials` and `priority`, `next` (Next.js), or `dispatcher` (Node). The
 * client sets the method, headers, body, signal and redirect mode.
 */
export interface FetchOptions
  extends Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal' | 'redirect' | 'dispatcher'> {
  /** A dispatcher of any version of undici, for a proxy, certificates, or a connection limit. Node only. */
  readonly dispatcher?: unknown
  /** Bun only. */
  readonly proxy?: unknown
  /** Bun only. */
  readonly tls?: unknown
  /** Next.js, for how long a response is cached. */
  readonly next?: object | undefined
}

/** Decides about a retry. `undefined` keeps the client's decision. */
export type ShouldRetry = (error: AnyServiceError, state: RetryState) => boolean | undefined

/** What `shouldRetry` receives besides the error. */
export interface RetryState {
  /** The number of the attempt that failed, starting at 1. */
  readonly attempt: number
  /**
   * Another attempt cannot act twice: the call only reads, has an idempotency key, or did not reach the platform. If it
   * is false, `true` is ignored, and the error says so.
   */
  readonly isSafe: boolean
}

/** The client's own headers that can be replaced by name. */
export type OverridableHeader = 'authorization' | 'accept' | 'user-agent'

/** The options of `createClient`. The first three are required, unless the environment has them. */
export interface ClientOptions {
  /**
   * The base URL of the API, e.g. `https://example.com/api/v1`, with or without a trailing slash. Defaults to the
   * environment variable `SERVICE_BASE_URL`.
   */
  readonly baseUrl?: string | undefined
  /**
   * A workspace API token, or a function that fetches one and is called again after a 401, once for all calls. Defaults
   * to `SERVICE_TOKEN`.
   */
  readonly token?: Token | undefined
  /** The numeric id of the workspace that the token belongs to. Defaults to `SERVICE_WORKSPACE`. */
  readonly workspace?: number | undefined
  /** Replaces the global `fetch`, which is looked up on every call. */
  readonly fetch?: Fetch | undefined
  /** Passed to `fetch` with every request. Options of a call replace those of the client. */
  readonly fetchOptions?: FetchOptions | undefined
  /**
   * Added to every request, e.g. for a gateway. The headers of a call replace them. The client's own headers cannot be
   * set here, except those in `overrideHeaders`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers of the client that `headers` may replace, e.g. for a gateway that adds the token itself. */
  readonly overrideHeaders?: readonly OverridableHeader[] | undefined
  /** Time limit of one attempt: connect, headers and body together. Default 15 000. */
  readonly timeoutMs?: number | undefined
  /** Time limit of a whole call: all attempts and the waits between them. Default 90 000. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. Default 2. */
  readonly maxRetries?: number | undefined
  /**
   * Called after a failed attempt, unless the retries are used up. `false` forbids a retry. `true` allows one, if another
   * attempt cannot act twice: a create needs an idempotency key for that. It does not change the waits.
   */
  readonly shouldRetry?: ShouldRetry | undefined
  /** The largest response that is read, in bytes after decompression. Default 33 554 432 (32 MiB). */
  readonly maxResponseBytes?: number | undefined
  /**
   * If the platform asks for a longer wait, the call fails immediately and reports it. Default 60 000, the window of the
   * platform's rate limit.
   */
  readonly maxRetryAfterMs?: number | undefined
  /**
   * `auto` sends an `Idempotency-Key` with every call that creates something, so that every fault is safe to retry. The
   * platform's document does not promise the header, so the default is `off`. `@service/server` supports it.
   */
  readonly idempotency?: 'auto' | 'off' | undefined
  /**
   * `auto` delays calls to stay below the rate limit, instead of meeting 429. It reads the rate limit of the responses
   * and is shared with copies from `withOptions`. Default `off`.
   */
  readonly pace?: 'auto' | 'off' | undefined
  /** How to treat a response that lacks documented fields: `throw` (default), `warn` on the console, or `ignore`. */
  readonly onUnexpectedResponse?: 'throw' | 'warn' | 'ignore' | undefined
  /** Receives the events of each call that is sent. It cannot fail or delay a call. */
  readonly onEvent?: OnEvent | undefined
  /** Writes one line per event, e.g. `console`. The lines contain no headers, bodies, URLs or tokens. */
  readonly logger?: Logger | undefined
  /** Functions around each request, for signing, tracing or logging. The first call loads ky. */
  readonly hooks?: ClientHooks | undefined
  /** Added to the `User-Agent`. */
  readonly appInfo?: AppInfo | undefined
  /** Allows use in a browser, where every user can read the token. */
  readonly dangerouslyAllowBrowser?: boolean | undefined
  /** Accepts http:// for hosts other than this machine, which sends the token unencrypted. */
  readonly allowInsecure?: boolean | undefined
  /** Milliseconds since 1970, for tests. */
  readonly clock?: (() => number) | undefined
  /** Waits between attempts, for tests. Must return early when the signal fires. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Returns a number from 0 up to 1 that determines the waits, for tests. */
  readonly random?: (() => number) | undefined
}
