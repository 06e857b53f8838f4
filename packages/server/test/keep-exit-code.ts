import type { EventEmitter } from 'node:events'

const ends = ['beforeExit', 'exit']
/** The methods of an emitter. The types of `process` list each event separately. */
const emitter: EventEmitter = process

/**
 * Loads a package without the hooks that it puts on the end of the process. The embedded PostgreSQL has some that end
 * it with 0 when nothing is left to do: a test run that failed would count as a good one. Those for signals stay.
 */
export async function keepingExitCode<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const before = new Set(ends.flatMap((end) => emitter.listeners(end)))
  const loaded = await load()
  for (const end of ends) {
    for (const listener of emitter.listeners(end)) if (!before.has(listener)) emitter.off(end, listener as () => void) // what can listen can be told not to
  }
  return loaded
}
