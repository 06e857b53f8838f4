import type { BeforeErrorState, Hooks } from 'ky'

/**
 * Functions around each request, with the types and the meaning that they have in ky: `beforeRequest` may change the
 * request or give another one (or a response, and nothing is sent), `afterResponse` may give another response,
 * `beforeError` may change the error that is about to be thrown, or give another one. They see the token.
 *
 * The client retries, not ky: the first two run for each attempt, `beforeError` once, when the call fails after a
 * request was made. A hook that throws ends the call with a `ServiceError` whose `cause` is what was thrown, and so does
 * an error of another kind that `beforeError` gives. `ky.retry()` is answered as a broken connection would be.
 */
export type ClientHooks = Pick<Hooks, 'beforeRequest' | 'afterResponse' | 'beforeError'>

/** A request as the `beforeRequest` hooks left it, with the options that ky had made of it. */
export type HookedRequest = Pick<BeforeErrorState, 'request' | 'options'>
