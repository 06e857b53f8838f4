import { notFound } from '../../api-error.ts'
import type { PlatformServer } from '../../server.ts'
import type { Inbox } from '../webhooks/inbox.ts'

/** What tests in other languages have asked for and will name again: by a number, because objects do not travel. */
export interface Desk {
  readonly inboxes: Shelf<Inbox>
  readonly forks: Shelf<PlatformServer>
  readonly disorders: Shelf<{ remove(): void }>
  readonly faults: Shelf<{ remove(): void }>
}

export interface Shelf<Thing> {
  put(thing: Thing): number
  get(id: string | undefined): Thing
  /** Gives back what was taken away. */
  take(id: string | undefined): Thing
  all(): Thing[]
}

export const createDesk = (): Desk => ({
  inboxes: createShelf('inbox'),
  forks: createShelf('fork'),
  disorders: createShelf('disorder'),
  faults: createShelf('fault'),
})

function createShelf<Thing>(name: string): Shelf<Thing> {
  const things = new Map<string, Thing>()
  let last = 0
  const get = (id = '') => {
    const thing = things.get(id)
    if (thing === undefined) throw notFound(name, Number(id))
    return thing
  }
  return {
    put(thing) {
      last += 1
      things.set(String(last), thing)
      return last
    },
    get,
    take(id) {
      const thing = get(id)
      things.delete(String(id))
      return thing
    },
    all: () => [...things.values()],
  }
}
