import type { AnswerOf, CheckedBodyOf, ControlRoute, ParamsOf, QueryOf } from '@service/contract'
import { notFound } from '../../core/errors.ts'
import type { TestServer } from '../test-server.ts'
import type { Inbox } from '../webhooks/inbox.ts'

/** What came with a request, checked by the route's own schemas. */
export type ControlInput<R extends ControlRoute> = ParamsOf<R> & {
  readonly body: CheckedBodyOf<R>
  readonly query: QueryOf<R>
  readonly handles: HandleRegistry
}

/** What a control gives: the router puts it into `{data}`. Bytes and nothing go out as they are. */
type ResultOf<Answer> = Answer extends { readonly data: infer Data }
  ? Unchanged<Data>
  : Answer extends undefined
    ? unknown
    : Answer

type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value

export type ControlHandler<R extends ControlRoute> = (
  server: TestServer,
  input: ControlInput<R>,
) => ResultOf<AnswerOf<R>> | Promise<ResultOf<AnswerOf<R>>>

/** One handler for each control of a list; a control without one does not compile. */
export type ControlHandlers<Routes extends readonly ControlRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: ControlHandler<R>
}

/** What tests in other languages have asked for and will name again: by a number, because objects do not travel. */
interface HandleRegistry {
  readonly inboxes: Handles<Inbox>
  readonly forks: Handles<TestServer>
  readonly deliveryFaults: Handles<{ remove(): void }>
  readonly faults: Handles<{ remove(): void }>
}

export interface Handles<Thing> {
  add(thing: Thing): number
  get(id: number): Thing
  /** Gives back what was taken away. */
  remove(id: number): Thing
  all(): Thing[]
}

export const createHandleRegistry = (): HandleRegistry => ({
  inboxes: createShelf('inbox'),
  forks: createShelf('fork'),
  deliveryFaults: createShelf('delivery fault'),
  faults: createShelf('fault'),
})

function createShelf<Thing>(name: string): Handles<Thing> {
  const things = new Map<number, Thing>()
  let last = 0
  const get = (id: number) => {
    const thing = things.get(id)
    if (thing === undefined) throw notFound(name, id)
    return thing
  }
  return {
    add(thing) {
      last += 1
      things.set(last, thing)
      return last
    },
    get,
    remove(id) {
      const thing = get(id)
      things.delete(id)
      return thing
    },
    all: () => [...things.values()],
  }
}

// Names are camelCase in code and snake_case on the wire; the test controls are where one becomes the other. What a test
// sends through them, or looks at in bodies, is never translated: only the names that are our own.

export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The same object with its own names, and not those of what is inside of it, in the spelling of the wire. */
export const toWire = (fields: object): Record<string, unknown> => renamed(fields, toSnake)

/** The same object with its own names in the spelling of our code. */
export const fromWire = (fields: object): Record<string, unknown> => renamed(fields, toCamel)

const renamed = (fields: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]))
