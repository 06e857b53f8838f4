import { Worker } from 'node:worker_threads'
import { UnreadableBody } from '@service/intake/sanitise/decode'
import { after } from './clock.ts'
import { unavailable } from './errors.ts'

// Reading a large body takes a third of a second, in which nobody else would be answered. It is done in a thread: one body
// at a time, because each takes a core and a queue is fairer than a fleet of threads. The thread stays for a while, as
// starting one costs about 30 ms; after a very large body it goes at once, and its memory with it.

export interface ReadingThread<Job, Reading> {
  /**
   * Throws `unavailable` when too many wait, and `UnreadableBody` when the thread ran out of memory. A body that nobody
   * needs afterwards is handed over instead of copied, and is empty then.
   */
  read(job: Job, body: 'copied' | 'handed over'): Promise<Reading>
}

interface ThreadOptions {
  readonly file: URL
  /** What waits longer than its sender does was read in vain. */
  readonly mostWaiting: number
}

/** A body within its limit of values needs half of this; what needs more ends its own thread and nothing else. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
const staysMs = 5_000
const veryLarge = 4 * 1024 * 1024

export function createReadingThread<Job extends { readonly body: Uint8Array }, Reading>(
  options: ThreadOptions,
): ReadingThread<Job, Reading> {
  let previous: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let thread: Worker | undefined
  let stay: (() => void) | undefined
  const end = () => {
    void thread?.terminate()
    thread = undefined
  }
  const start = () => {
    const started = new Worker(options.file, { resourceLimits })
    // Nobody may be waiting for it when it ends.
    return started
      .on('error', () => undefined)
      .once('exit', () => {
        if (thread === started) thread = undefined
      })
  }
  const run = async (job: Job, isHandedOver: boolean): Promise<Reading> => {
    const isVeryLarge = job.body.length > veryLarge
    stay?.()
    thread ??= start()
    try {
      const reading = await ask<Job, Reading>(thread, { job, isHandedOver })
      if (isVeryLarge) end()
      else stay = after(staysMs, end)
      return reading
    } catch (fault) {
      end()
      throw fault
    }
  }
  return {
    async read(job, body) {
      if (waiting >= options.mostWaiting)
        throw unavailable('Too many large bodies are being read. Send this one again soon.', 10)
      waiting += 1
      const reading = previous.then(() => run(job, body === 'handed over'))
      previous = reading.catch(() => undefined)
      return reading.finally(() => {
        waiting -= 1
      })
    },
  }
}

/** The process lives on while it waits for an answer, and not for the sake of an idle thread. */
function ask<Job extends { readonly body: Uint8Array }, Reading>(
  thread: Worker,
  { job, isHandedOver }: { job: Job; isHandedOver: boolean },
): Promise<Reading> {
  const { buffer, byteLength } = job.body
  // A small buffer of Node's is a part of a pool that others use too.
  const transfer = isHandedOver && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
  thread.ref()
  return new Promise<Reading>((resolve, reject) => {
    const failed = (fault: unknown) => reject(isOutOfMemory(fault) ? holdsTooMuch() : fault)
    const ended = (code: number) => reject(new Error(`The thread that reads bodies ended with ${code}.`))
    thread.once('message', (reading: Reading) => {
      thread.off('error', failed).off('exit', ended).unref()
      resolve(reading)
    })
    thread.once('error', failed).once('exit', ended).postMessage(job, transfer)
  })
}

const isOutOfMemory = (fault: unknown) =>
  fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY'

const holdsTooMuch = () => new UnreadableBody('The body takes too much memory to read.')

/** The file of a thread: beside this code, from source as `.ts` in its own folder and from the build as `.js`. */
export const threadFile = (name: string, moduleUrl: string) =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl)
