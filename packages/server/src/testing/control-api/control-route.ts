import type { CheckedBodyOf, ControlRoute, ParamsOf, QueryOf, ResponseOf } from '@service/contract'
import { notFound } from '../../core/errors.ts'
import type { TestServer } from '../test-controls.ts'
import type { Inbox } from '../webhooks/inbox.ts'
import type { ForkRoutes } from './fork-routes.ts'

/** The input of a request, checked by the route's schemas. */
export type ControlInput<R extends ControlRoute> = ParamsOf<R> & {
  readonly body: CheckedBodyOf<R>
  readonly query: QueryOf<R>
  readonly handles: HandleRegistry
  readonly forks: ForkRoutes
  /** The address at which the caller reaches this server, without a trailing slash. */
  readonly origin: string
}

/** The result of a control. The router wraps it in `{data}`, except for bytes and empty results. */
type ResultOf<Answer> = Answer extends { readonly data: infer Data }
  ? Unchanged<Data>
  : Answer extends undefined
    ? unknown
    : Answer

type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value

export type ControlHandler<R extends ControlRoute> = (
  server: TestServer,
  input: ControlInput<R>,
) => ResultOf<ResponseOf<R>> | Promise<ResultOf<ResponseOf<R>>>

/** One handler per control. A missing handler is a compile error. */
export type ControlHandlers<Routes extends readonly ControlRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: ControlHandler<R>
}

/** Objects that a test in another language refers to by id. */
export interface HandleRegistry {
  readonly inboxes: Handles<Inbox>
  readonly deliveryFaults: Handles<{ remove(): void }>
  readonly faults: Handles<{ remove(): void }>
}

type Handles<Value> = ReturnType<typeof createHandles<Value>>

export const createHandleRegistry = (): HandleRegistry => ({
  inboxes: createHandles('inbox'),
  deliveryFaults: createHandles('delivery fault'),
  faults: createHandles('fault'),
})

function createHandles<Value>(name: string) {
  const values = new Map<number, Value>()
  let last = 0
  const get = (id: number) => {
    const value = values.get(id)
    if (value === undefined) throw notFound(name, id)
    return value
  }
  return {
    get,
    /** The same id each time. */
    idOf(value: Value) {
      const [known] = [...values].find(([, each]) => each === value) ?? []
      if (known !== undefined) return known
      last += 1
      values.set(last, value)
      return last
    },
    remove(id: number) {
      const value = get(id)
      values.delete(id)
      return value
    },
  }
}

// Names are camelCase in code and snake_case on the wire. The test controls translate their own names, but not the
// bodies that a test sends or reads through them.

export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const toCamel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Renames the fields of the object to snake_case, but not those of nested objects. */
export const toWire = (fields: object): Record<string, unknown> => renamed(fields, toSnake)

/** Renames the fields of the object to camelCase, but not those of nested objects. */
export const fromWire = (fields: object): Record<string, unknown> => renamed(fields, toCamel)

const renamed = (fields: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value]))
