import { apiExamples } from './examples/api.ts'
import { inboundExamples } from './examples/inbound.ts'

// Imported as `@service/contract/examples` and never through the index: the client's bundle has no use for it.

export { eventExamples } from './examples/events.ts'
export type { RouteExample } from './examples/example.ts'

/** Bodies, answers and refusals of every route, as documentation shows them. */
export const routeExamples = [...apiExamples, ...inboundExamples]
