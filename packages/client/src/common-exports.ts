export type { Call, CallMeta, FailureMeta, SafeResult, WithMeta } from './call.ts'
export type { CallOptions, CreateOptions, QueryValue } from './call-options.ts'
export type { Fetch, FetchOptions, RetryState, ShouldRetry } from './client-options.ts'
// Not from `errors.ts`, the entry: bundlers would split an empty file off for it.
export * from './errors/details.ts'
export * from './errors/family.ts'
export { ServiceError } from './errors/service-error.ts'
