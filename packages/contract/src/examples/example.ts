import type { AnswerOf, BodyOf, RefusalStatus, Route } from '../route.ts'

/** Values with a short name each; the name becomes the example's title, so `second-tap` reads "Second tap". */
export type ByName<Value> = Readonly<Record<string, Value>>

/** What documentation shows for one route. */
export interface RouteExample {
  readonly route: Route
  readonly bodies: ByName<unknown>
  readonly answers: ByName<unknown>
  /** Only what is particular to the route; refusals that all routes share are shown with those. */
  readonly refusals: Readonly<Partial<Record<RefusalStatus, ByName<unknown>>>>
}

interface Shown<R extends Route> {
  readonly bodies?: ByName<BodyOf<R>>
  readonly answers: ByName<AnswerOf<R>>
  readonly refusals?: RouteExample['refusals']
}

/** Ties examples to their route, so that the compiler checks them against its schemas. */
export function exampleOf<R extends Route>(route: R, { bodies = {}, answers, refusals = {} }: Shown<R>): RouteExample {
  return { route, bodies, answers, refusals }
}
