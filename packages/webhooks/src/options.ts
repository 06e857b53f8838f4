import type { StandardSchema } from './schema.ts'

/** The raw body of a delivery. A string counts as its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** Headers: fetch `Headers`, or an object with names in any case. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** One secret, or up to ten during a rotation. */
export type Secrets = string | readonly string[]

/** Options for the verification checks. */
export interface Checks {
  /** Maximum difference between a signed timestamp and now, in seconds, in either direction. Defaults to 300. */
  readonly toleranceSeconds?: number | undefined
  /** Rejects deliveries without a signed timestamp, which an attacker could otherwise remove to replay one. */
  readonly requireTimestamp?: boolean | undefined
  /** Defaults to 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  /**
   * A Standard Schema for the payloads, from zod, valibot, or arktype for example. It only checks: the payload stays as
   * signed, without the schema's defaults and conversions. Events of type `unknown` are not checked.
   */
  readonly schema?: StandardSchema | undefined
  /** Current time in milliseconds since 1970, for tests. Defaults to `Date.now`. */
  readonly now?: (() => number) | undefined
}

export interface VerifySyncOptions extends Checks {
  readonly body: RawBody
  readonly headers: HeaderSource
  readonly secret: Secrets
}

export interface VerifyOptions extends Checks {
  readonly body: RawBody
  readonly headers: HeaderSource
  /** The secrets, or a function that finds them. Its argument is not verified yet. */
  readonly secret: Secrets | ((unverified: { readonly headers: HeaderSource }) => Secrets | Promise<Secrets>)
}
