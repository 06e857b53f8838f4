import type { EventName } from './events.ts'
import type { AnswerOf, BodyOf, RefusalStatus, Route } from './route.ts'

/** Values with a short name each; the name becomes the example's title, so `second-tap` reads "Second tap". */
export type ByName<Value> = Readonly<Record<string, Value>>

/** Something that the platform's document leaves open, and what we do. */
export interface Decision {
  readonly open: string
  readonly decided: string
  /** The option that makes it otherwise. */
  readonly option?: string
}

/** What `docs/COVERAGE.md` says of an operation of the platform's document. */
export interface CoverageNotes {
  readonly does: string
  /** Factories and administration that make what it needs or shows. */
  readonly madeBy: readonly string[]
  readonly decisions: readonly Decision[]
  /** An event that success may emit, where it does not always (`emits` of the route). */
  readonly mayEmit?: EventName
}

/** What readers get of one route besides its data. */
export interface RouteDocs<Body = unknown, Answer = unknown> {
  readonly summary: string
  readonly description?: string
  /** The smallest comes first: an interactive reference fills it in, and it works in any workspace. */
  readonly bodies?: ByName<Body>
  readonly answers?: ByName<Answer>
  /** Only what is particular to the route; refusals that all routes share are shown with those. */
  readonly refusals?: Readonly<Partial<Record<RefusalStatus, ByName<unknown>>>>
  readonly notes?: CoverageNotes
}

/** What may be left out: bodies where there is none, and for routes of our own the notes on the platform's document. */
type RequiredKey<R extends Route> =
  | (R extends { readonly body: unknown } ? 'bodies' : never)
  | (R['surface'] extends 'api' | 'inbound' ? 'answers' | 'description' | 'notes' : never)

type CompleteDocs<R extends Route> = RouteDocs<BodyOf<R>, AnswerOf<R>> & {
  readonly [Key in RequiredKey<R>]: NonNullable<RouteDocs<BodyOf<R>, AnswerOf<R>>[Key]>
}

/** The documentation of a list of routes: an entry for each, with examples that its schemas accept. */
export type DocsOf<Routes extends readonly Route[]> = {
  readonly [R in Routes[number] as R['operation']]: CompleteDocs<R>
}
