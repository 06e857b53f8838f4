import type { BeforeErrorState, Hooks } from 'ky'

/**
 * Functions around each request, with the types and semantics of ky: `beforeRequest` may change or replace the
 * request (or return a response, and nothing is sent), `afterResponse` may replace the response,
 * `beforeError` may change or replace the error that is about to be thrown. They can read the token.
 *
 * The client retries, not ky: the first two run for each attempt, `beforeError` once, if the call fails after a
 * request was sent. If a hook throws, the call ends with a `ServiceError` whose `cause` is the thrown value. The same
 * applies to any other error that `beforeError` returns. `ky.retry()` is treated like a broken connection.
 */
export type ClientHooks = Pick<Hooks, 'beforeRequest' | 'afterResponse' | 'beforeError'>

/** A request after the `beforeRequest` hooks, with the options from ky. */
export type HookedRequest = Pick<BeforeErrorState, 'request' | 'options'>
