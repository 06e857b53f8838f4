import { notFound } from '../../core/errors.ts'
import type { TestServer } from '../test-server.ts'
import type { Inbox } from '../webhooks/inbox.ts'

/** What tests in other languages have asked for and will name again: by a number, because objects do not travel. */
export interface HandleRegistry {
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
