import type { ErrorDetails, Issue, NetworkReason } from './details.ts'
import { ServiceError } from './service-error.ts'

// Names are literals because minifiers rename classes, and `instanceof` compares names if two copies of this
// package are loaded.

/** The body was invalid, so nothing was sent. `issues` names the fields. */
export class InvalidRequestError extends ServiceError {
  static override readonly name = 'InvalidRequestError'
  override readonly name = 'InvalidRequestError' as const
  override readonly code = 'invalid_request' as const
  declare readonly issues: readonly Issue[]

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details)
  }
}

/** 401, or the token function failed: the token is missing, wrong or revoked. */
export class AuthenticationError extends ServiceError {
  static override readonly name = 'AuthenticationError'
  override readonly name = 'AuthenticationError' as const
  override readonly code = 'authentication' as const
}

/** 403: the token lacks the scope, or belongs to another workspace. */
export class PermissionError extends ServiceError {
  static override readonly name = 'PermissionError'
  override readonly name = 'PermissionError' as const
  override readonly code = 'permission' as const
}

/** 404: no such workspace or integration. */
export class NotFoundError extends ServiceError {
  static override readonly name = 'NotFoundError'
  override readonly name = 'NotFoundError' as const
  override readonly code = 'not_found' as const
}

/** 409: conflicts with existing data, such as an open lead with this e-mail. 412: it was changed in the meantime. */
export class ConflictError extends ServiceError {
  static override readonly name = 'ConflictError'
  override readonly name = 'ConflictError' as const
  override readonly code = 'conflict' as const
}

/** 422: the platform rejected the body. `errors` has its messages per field. */
export class ValidationError extends ServiceError {
  static override readonly name = 'ValidationError'
  override readonly name = 'ValidationError' as const
  override readonly code = 'validation' as const
  declare readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(
    message: string,
    details: ErrorDetails & { readonly errors: Readonly<Record<string, readonly string[]>> },
  ) {
    super(message, details)
  }
}

/** 429: too many requests, and the wait is longer than allowed or the retries are used up. */
export class RateLimitError extends ServiceError {
  static override readonly name = 'RateLimitError'
  override readonly name = 'RateLimitError' as const
  override readonly code = 'rate_limited' as const
}

/** 413: the body is larger than the platform accepts. */
export class PayloadTooLargeError extends ServiceError {
  static override readonly name = 'PayloadTooLargeError'
  override readonly name = 'PayloadTooLargeError' as const
  override readonly code = 'payload_too_large' as const
}

/** 415: something between client and platform changed the content type. */
export class UnsupportedMediaTypeError extends ServiceError {
  static override readonly name = 'UnsupportedMediaTypeError'
  override readonly name = 'UnsupportedMediaTypeError' as const
  override readonly code = 'unsupported_media_type' as const
}

/** 5xx: the platform or a gateway failed. */
export class ServerError extends ServiceError {
  static override readonly name = 'ServerError'
  override readonly name = 'ServerError' as const
  override readonly code = 'server_error' as const
}

/** A status that the platform does not document, e.g. 405 from a wrong base URL. */
export class UnexpectedStatusError extends ServiceError {
  static override readonly name = 'UnexpectedStatusError'
  override readonly name = 'UnexpectedStatusError' as const
  override readonly code = 'unexpected_status' as const
}

/**
 * A success that cannot be read: not JSON, cut off, corrupt, longer than `maxResponseBytes`, or not the documented
 * shape (`issues` names the fields).
 */
export class ResponseError extends ServiceError {
  static override readonly name = 'ResponseError'
  override readonly name = 'ResponseError' as const
  override readonly code = 'unexpected_response' as const
  declare readonly issues?: readonly Issue[]
  declare readonly contentType?: string
  declare readonly snippet?: string

  constructor(
    message: string,
    details: ErrorDetails & {
      readonly issues?: readonly Issue[]
      readonly contentType?: string
      readonly snippet?: string
    },
  ) {
    super(message, details)
  }
}

/** No response. `reason` is the classification, `systemCode` the code of the operating system. */
export class NetworkError extends ServiceError {
  static override readonly name = 'NetworkError'
  override readonly name = 'NetworkError' as const
  override readonly code = 'network' as const
  declare readonly reason: NetworkReason
  declare readonly systemCode?: string

  constructor(
    message: string,
    details: ErrorDetails & { readonly reason: NetworkReason; readonly systemCode?: string },
  ) {
    super(message, details)
  }
}

/** `timeoutMs` (`scope: 'attempt'`) or `deadlineMs` (`scope: 'deadline'`) was exceeded. */
export class TimeoutError extends ServiceError {
  static override readonly name = 'TimeoutError'
  override readonly name = 'TimeoutError' as const
  override readonly code = 'timeout' as const
  declare readonly scope: 'attempt' | 'deadline'

  constructor(message: string, details: ErrorDetails & { readonly scope: 'attempt' | 'deadline' }) {
    super(message, details)
  }
}

/** The caller's signal fired. `cause` is its reason. */
export class AbortedError extends ServiceError {
  static override readonly name = 'AbortedError'
  override readonly name = 'AbortedError' as const
  override readonly code = 'aborted' as const
}

/** A redirect, which is never followed. `location` is the origin it points to, without path. */
export class RedirectError extends ServiceError {
  static override readonly name = 'RedirectError'
  override readonly name = 'RedirectError' as const
  override readonly code = 'redirect' as const
  declare readonly location?: string

  constructor(message: string, details: ErrorDetails & { readonly location?: string }) {
    super(message, details)
  }
}

/** Every error of this package. `code` tells them apart. */
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

/** True for every error of any copy of this package. Afterwards `error.code` narrows the type. */
export const isServiceError = (value: unknown): value is AnyServiceError => value instanceof ServiceError
