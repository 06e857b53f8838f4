import * as z from 'zod/mini'
import type { PlatformServer } from '../../server.ts'
import type { Desk } from './desk.ts'

export const testBasePath = '/admin/v1/test'

/** One thing that a test in any language can ask for, as data: the routes and their OpenAPI document are made from it. */
export interface Verb {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/admin/v1/test`, parameters in braces. */
  readonly path: string
  /** A sentence for the reference. */
  readonly says: string
  readonly body?: z.ZodMiniType
  /** `bytes` is a body that is no JSON. */
  readonly takes?: 'bytes'
  readonly gives?: 'bytes'
  readonly query?: z.ZodMiniObject
  run(server: PlatformServer, input: VerbInput): unknown
}

/** What came with a request, checked by the verb's own schemas. */
export interface VerbInput {
  readonly body: never
  readonly bytes: Uint8Array
  readonly desk: Desk
  readonly params: Readonly<Record<string, string>>
  readonly query: never
}

interface TypedVerb<Body extends z.ZodMiniType, Query extends z.ZodMiniObject>
  extends Omit<Verb, 'run' | 'body' | 'query'> {
  readonly body?: Body
  readonly query?: Query
  run(
    server: PlatformServer,
    input: {
      readonly body: z.output<Body>
      readonly bytes: Uint8Array
      readonly desk: Desk
      readonly params: Readonly<Record<string, string>>
      readonly query: z.output<Query>
    },
  ): unknown
}

/** Gives `run` the types of its own schemas. */
export function verb<Body extends z.ZodMiniType, Query extends z.ZodMiniObject>(typed: TypedVerb<Body, Query>): Verb {
  return typed as unknown as Verb // the router parses with these very schemas before it calls `run`
}

/** How long a request may wait for something to happen. */
export const WaitMs = z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(60_000)), 5000)
