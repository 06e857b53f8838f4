import type { EventName } from './events.ts'
import type { BodyOf, ErrorStatus, ResponseOf, Route } from './route.ts'

/** Examples by a short name, which becomes the title: `second-tap` reads "Second tap". */
export type ByName<Value> = Readonly<Record<string, Value>>

/** A question that the platform's document leaves open, and our answer. */
export interface Decision {
  readonly question: string
  readonly answer: string
  /** The option that changes it. */
  readonly option?: string
}

/** The entry of an operation in `docs/COVERAGE.md`. */
export interface CoverageNotes {
  readonly does: string
  /** The factories and routes of administration that create the data it needs or shows. */
  readonly createdWith: readonly string[]
  readonly decisions: readonly Decision[]
  /** The event of an inbound route, whose body decides. If each change emits it, the route has `emits` instead. */
  readonly mayEmit?: EventName
}

/** The documentation of one route. */
export interface RouteDocs<Body = unknown, Answer = unknown> {
  readonly summary: string
  readonly description?: string
  /** The smallest comes first, because interactive references prefill it. It must work in any workspace. */
  readonly bodies?: ByName<Body>
  readonly responses?: ByName<Answer>
  /** Only refusals that are specific to the route. The reference adds those that all routes share. */
  readonly errors?: Readonly<Partial<Record<ErrorStatus, ByName<unknown>>>>
  readonly notes?: CoverageNotes
}

/** Routes with a body need `bodies`. Routes of the platform's document also need responses, a description and notes. */
type RequiredKey<R extends Route> =
  | (R extends { readonly body: unknown } ? 'bodies' : never)
  | (R['surface'] extends 'api' | 'inbound' ? 'responses' | 'description' | 'notes' : never)

type CompleteDocs<R extends Route> = RouteDocs<BodyOf<R>, ResponseOf<R>> & {
  readonly [Key in RequiredKey<R>]: NonNullable<RouteDocs<BodyOf<R>, ResponseOf<R>>[Key]>
}

/** The documentation of a list of routes: an entry for each, with examples that its schemas accept. */
export type DocsOf<Routes extends readonly Route[]> = {
  readonly [R in Routes[number] as R['operation']]: CompleteDocs<R>
}
