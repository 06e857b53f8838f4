import type { StandardSchema } from './schema.ts'

/** A body as it came over the wire. A string is taken as its UTF-8 bytes. */
export type RawBody = string | ArrayBufferView | ArrayBuffer

/** Headers as any framework has them: fetch `Headers`, or an object with names in any case. */
export type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** One secret, or up to ten while a rotation is under way. */
export type Secrets = string | readonly string[]

/** What the checks may be told. */
export interface Checks {
  /** How far a signed timestamp may lie from now, either way. 300 by default. */
  readonly toleranceSeconds?: number | undefined
  /** Refuse deliveries that have no signed timestamp, so that nobody can leave it off to play one again. */
  readonly requireTimestamp?: boolean | undefined
  /** 1 MiB by default. */
  readonly maxBodyBytes?: number | undefined
  /**
   * Any Standard Schema for the payloads, from zod, valibot, arktype … It is a check: the payload stays what was signed,
   * without the defaults and conversions of the schema. Events of the type `unknown` are not checked.
   */
  readonly schema?: StandardSchema | undefined
  /** Milliseconds since 1970, for tests. `Date.now` by default. */
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
  /** The secrets, or a function that finds them. What it is given is not verified yet. */
  readonly secret: Secrets | ((unverified: { readonly headers: HeaderSource }) => Secrets | Promise<Secrets>)
}
