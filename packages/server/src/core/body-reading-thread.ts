import { Worker } from 'node:worker_threads'
import { UnreadableBody } from '@service/intake/sanitize/decode'
import { after } from './clock.ts'
import { unavailable } from './errors.ts'
import { fairQueue } from './fair-queue.ts'

// Reading a large body takes up to a third of a second, which would block the event loop. So a thread does it, one body
// at a time: each takes a core, and workspaces take turns. The thread is kept for a while, because starting one takes
// about 30 ms. After a very large body it ends at once to free its memory.

export interface ReadingThread<Job, Reading> {
  /**
   * Throws `unavailable` if too many bodies wait, and `UnreadableBody` if the thread ran out of memory. A body that is not
   * needed afterwards is transferred instead of copied, which leaves it empty.
   */
  read(job: Job, options: { readonly workspaceId: number; readonly body: 'copied' | 'handed over' }): Promise<Reading>
}

interface ThreadOptions {
  readonly file: URL
  /** Keeps the wait shorter than the sender's timeout. */
  readonly maxWaiting: number
}

/** A body within the limits needs half of this. A larger one ends only its own thread. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
const idleTimeoutMs = 5_000
const veryLargeBytes = 4 * 1024 * 1024

export function createReadingThread<Job extends { readonly body: Uint8Array }, Reading>(
  options: ThreadOptions,
): ReadingThread<Job, Reading> {
  const queue = fairQueue({ slots: 1, maxWaiting: options.maxWaiting, refusal: tooManyBodies })
  let thread: Worker | undefined
  let cancelIdleTimer: (() => void) | undefined
  const end = () => {
    void thread?.terminate()
    thread = undefined
  }
  const start = () => {
    const started = new Worker(options.file, { resourceLimits })
    // The rejection may arrive when no caller is waiting.
    return started
      .on('error', () => undefined)
      .once('exit', () => {
        if (thread === started) thread = undefined
      })
  }
  const run = async (job: Job, isHandedOver: boolean): Promise<Reading> => {
    const isVeryLarge = job.body.length > veryLargeBytes
    cancelIdleTimer?.()
    thread ??= start()
    try {
      const reading = await readInThread<Job, Reading>(thread, { job, isHandedOver })
      if (isVeryLarge) end()
      else cancelIdleTimer = after(idleTimeoutMs, end)
      return reading
    } catch (fault) {
      end()
      throw fault
    }
  }
  return { read: (job, { workspaceId, body }) => queue.run(workspaceId, () => run(job, body === 'handed over')) }
}

const tooManyBodies = () => unavailable('Too many large bodies are being read. Send this one again soon.', 10)

/** Keeps the process alive while a response is pending, but not for an idle thread. */
function readInThread<Job extends { readonly body: Uint8Array }, Reading>(
  thread: Worker,
  { job, isHandedOver }: { job: Job; isHandedOver: boolean },
): Promise<Reading> {
  const { buffer, byteLength } = job.body
  // A small Node buffer is part of a shared pool and must not be transferred.
  const transfer = isHandedOver && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
  thread.ref()
  return new Promise<Reading>((resolve, reject) => {
    const failed = (fault: unknown) => reject(isOutOfMemory(fault) ? outOfMemoryError() : fault)
    const ended = (code: number) => reject(new Error(`The body-reading thread exited with code ${code}.`))
    thread.once('message', (reading: Reading) => {
      thread.off('error', failed).off('exit', ended).unref()
      resolve(reading)
    })
    thread.once('error', failed).once('exit', ended).postMessage(job, transfer)
  })
}

const isOutOfMemory = (fault: unknown) =>
  fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY'

const outOfMemoryError = () => new UnreadableBody('Reading the body requires too much memory. Send a smaller body.')

/** The file of a thread, next to the calling module: `.ts` when running from source, `.js` in the build. */
export const threadFile = (name: string, moduleUrl: string) =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl)
