/** A queue whose owners take turns, so that none waits for all that another has queued. Each owner's items keep their order. */
export interface FairQueue<Item> {
  readonly size: number
  /** How many items of this owner are in the queue. */
  sizeOf(owner: unknown): number
  push(owner: unknown, item: Item): void
  shift(): Item | undefined
}

export function fairQueue<Item>(): FairQueue<Item> {
  /** By owner, in the order of their turns. */
  const queues = new Map<unknown, Item[]>()
  let size = 0
  return {
    get size() {
      return size
    },
    sizeOf: (owner) => queues.get(owner)?.length ?? 0,
    push(owner, item) {
      const queue = queues.get(owner)
      if (queue === undefined) queues.set(owner, [item])
      else queue.push(item)
      size += 1
    },
    shift() {
      for (const [owner, queue] of queues) {
        const item = queue.shift()
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        size -= 1
        return item
      }
      return undefined
    },
  }
}
