import type { ErrorCode, ErrorDetails, Issue, NetworkReason } from './details.ts'
import { ServiceError } from './service-error.ts'

/** A class of the family, with its literal name and code. */
export interface ErrorClass<Name extends string, Code extends ErrorCode, Fields = unknown> {
  readonly prototype: Instance<Name, Code, Fields>
  new (message: string, details: ErrorDetails & Fields): Instance<Name, Code, Fields>
}
type Instance<Name, Code, Fields> = ServiceError & { readonly name: Name; readonly code: Code } & Readonly<Fields>

// The name is given as text because minifiers rename classes. `code` is left out where it is the name in snake case:
// with every one written out, the list would not fit its 0.6 kB.
const member = <Name extends string, Code extends ErrorCode, Fields>(
  name: Name,
  code: string = name
    .slice(0, -5)
    .replace(/\B[A-Z]/g, '_$&')
    .toLowerCase(),
) =>
  // The class cannot spell its literal code and its extra fields, which `Object.assign` in the root sets.
  class extends ServiceError {
    static override name = name
    override name = name
    override code = code as ErrorCode
  } as unknown as ErrorClass<Name, Code, Fields>

/** The body did not fit; nothing was sent. `issues` names the fields. */
export const InvalidRequestError: ErrorClass<'InvalidRequestError', 'invalid_request', { issues: readonly Issue[] }> =
  /* @__PURE__ */ member('InvalidRequestError')
export type InvalidRequestError = InstanceType<typeof InvalidRequestError>

/** 401, or the token function failed: the token is missing, wrong or revoked. */
export const AuthenticationError: ErrorClass<'AuthenticationError', 'authentication'> =
  /* @__PURE__ */ member('AuthenticationError')
export type AuthenticationError = InstanceType<typeof AuthenticationError>

/** 403: the token lacks the scope, or belongs to another workspace. */
export const PermissionError: ErrorClass<'PermissionError', 'permission'> = /* @__PURE__ */ member('PermissionError')
export type PermissionError = InstanceType<typeof PermissionError>

/** 404: no such workspace or integration. */
export const NotFoundError: ErrorClass<'NotFoundError', 'not_found'> = /* @__PURE__ */ member('NotFoundError')
export type NotFoundError = InstanceType<typeof NotFoundError>

/** 409: an open lead with this e-mail exists. */
export const ConflictError: ErrorClass<'ConflictError', 'conflict'> = /* @__PURE__ */ member('ConflictError')
export type ConflictError = InstanceType<typeof ConflictError>

/** 422: the platform refused the body. `errors` has its sentences per field. */
export const ValidationError: ErrorClass<
  'ValidationError',
  'validation',
  { errors: Readonly<Record<string, readonly string[]>> }
> = /* @__PURE__ */ member('ValidationError')
export type ValidationError = InstanceType<typeof ValidationError>

/** 429: too many requests, and the wait is longer than the client may take or has tried. */
export const RateLimitError: ErrorClass<'RateLimitError', 'rate_limited'> = /* @__PURE__ */ member(
  'RateLimitError',
  'rate_limited',
)
export type RateLimitError = InstanceType<typeof RateLimitError>

/** 413: the body is larger than the platform takes. */
export const PayloadTooLargeError: ErrorClass<'PayloadTooLargeError', 'payload_too_large'> =
  /* @__PURE__ */ member('PayloadTooLargeError')
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>

/** 415: something between client and platform changed the content type. */
export const UnsupportedMediaTypeError: ErrorClass<'UnsupportedMediaTypeError', 'unsupported_media_type'> =
  /* @__PURE__ */ member('UnsupportedMediaTypeError')
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>

/** 5xx: the platform or a gateway failed. */
export const ServerError: ErrorClass<'ServerError', 'server_error'> = /* @__PURE__ */ member(
  'ServerError',
  'server_error',
)
export type ServerError = InstanceType<typeof ServerError>

/** A status that the platform does not document, e.g. 405 from a wrong base URL. */
export const UnexpectedStatusError: ErrorClass<'UnexpectedStatusError', 'unexpected_status'> =
  /* @__PURE__ */ member('UnexpectedStatusError')
export type UnexpectedStatusError = InstanceType<typeof UnexpectedStatusError>

/** A success that cannot be read: no JSON, cut off, or not the documented shape (`issues` names the fields). */
export const ResponseError: ErrorClass<
  'ResponseError',
  'unexpected_response',
  { issues?: readonly Issue[]; contentType?: string; snippet?: string }
> = /* @__PURE__ */ member('ResponseError', 'unexpected_response')
export type ResponseError = InstanceType<typeof ResponseError>

/** No answer: `reason` says what is known, `systemCode` what the operating system said. */
export const NetworkError: ErrorClass<'NetworkError', 'network', { reason: NetworkReason; systemCode?: string }> =
  /* @__PURE__ */ member('NetworkError')
export type NetworkError = InstanceType<typeof NetworkError>

/** `timeoutMs` (`scope: 'attempt'`) or `deadlineMs` (`scope: 'deadline'`) is over. */
export const TimeoutError: ErrorClass<'TimeoutError', 'timeout', { scope: 'attempt' | 'deadline' }> =
  /* @__PURE__ */ member('TimeoutError')
export type TimeoutError = InstanceType<typeof TimeoutError>

/** The caller's signal fired; `cause` is its reason. */
export const AbortedError: ErrorClass<'AbortedError', 'aborted'> = /* @__PURE__ */ member('AbortedError')
export type AbortedError = InstanceType<typeof AbortedError>

/** A redirect, which is never followed. `location` is the origin it points to, without path. */
export const RedirectError: ErrorClass<'RedirectError', 'redirect', { location?: string }> =
  /* @__PURE__ */ member('RedirectError')
export type RedirectError = InstanceType<typeof RedirectError>

/** Every error of this package; `code` tells them apart. */
export type AnyServiceError =
  | InvalidRequestError
  | AuthenticationError
  | PermissionError
  | NotFoundError
  | ConflictError
  | ValidationError
  | RateLimitError
  | PayloadTooLargeError
  | UnsupportedMediaTypeError
  | ServerError
  | UnexpectedStatusError
  | ResponseError
  | NetworkError
  | TimeoutError
  | AbortedError
  | RedirectError
