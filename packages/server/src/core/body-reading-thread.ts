import { parentPort, Worker } from 'node:worker_threads'
import { UnreadableBody } from '@service/intake/sanitize/decode'
import { after } from './clock.ts'
import { unavailable } from './errors.ts'
import { fairQueue } from './fair-queue.ts'

// Reading a large body takes up to a third of a second, which would block the event loop. So a thread does it, one body
// at a time: each takes a core, and workspaces take turns. The thread is kept for a while, because starting one takes
// about 30 ms. After a very large body it ends at once to free its memory.

export interface ReadingThread<Job, Reading> {
  /**
   * Throws `unavailable` if too many bodies wait, and errors for `refuseUnreadable` if the body cannot be read, also for lack of
   * memory. A body that is not needed afterwards is transferred instead of copied, which leaves it empty.
   */
  read(job: Job, options: { readonly workspaceId: number; readonly body: 'copied' | 'handed over' }): Promise<Reading>
}

/** What the thread answers. Errors arrive without their class. */
type Reply<Reading> =
  | { readonly reading: Reading }
  | { readonly refused: Pick<UnreadableBody, 'kind' | 'message'> }
  | { readonly fault: string }

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
  const run = async (job: Job, isHandedOver: boolean): Promise<Reply<Reading>> => {
    const isVeryLarge = job.body.length > veryLargeBytes
    cancelIdleTimer?.()
    thread ??= start()
    try {
      const reply = await readInThread<Job, Reading>(thread, { job, isHandedOver })
      if (isVeryLarge) end()
      else cancelIdleTimer = after(idleTimeoutMs, end)
      return reply
    } catch (fault) {
      end()
      throw fault
    }
  }
  return {
    async read(job, { workspaceId, body }) {
      const reply = await queue.run(workspaceId, () => run(job, body === 'handed over'))
      if ('reading' in reply) return reply.reading
      throw 'refused' in reply ? new UnreadableBody(reply.refused.message, reply.refused.kind) : new Error(reply.fault)
    },
  }
}

/** Called by the file of a thread: reads the bodies posted to it, one at a time. */
export function serveReadings<Job, Reading>(read: (job: Job) => Reading): void {
  parentPort?.on('message', (job: Job) => parentPort?.postMessage(replyTo(job, read))) // sent only by `readInThread`
}

function replyTo<Job, Reading>(job: Job, read: (job: Job) => Reading): Reply<Reading> {
  try {
    return { reading: read(job) }
  } catch (fault) {
    if (fault instanceof UnreadableBody) return { refused: { kind: fault.kind, message: fault.message } }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

const tooManyBodies = () => unavailable('Too many large bodies are being read. Send this one again soon.', 10)

/** Keeps the process alive while a response is pending, but not for an idle thread. */
function readInThread<Job extends { readonly body: Uint8Array }, Reading>(
  thread: Worker,
  { job, isHandedOver }: { job: Job; isHandedOver: boolean },
): Promise<Reply<Reading>> {
  const { buffer, byteLength } = job.body
  // A small Node buffer is part of a shared pool and must not be transferred.
  const transfer = isHandedOver && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []
  thread.ref()
  return new Promise<Reply<Reading>>((resolve, reject) => {
    const failed = (fault: unknown) => reject(isOutOfMemory(fault) ? outOfMemoryError() : fault)
    const ended = (code: number) => reject(new Error(`The body-reading thread exited with code ${code}.`))
    thread.once('message', (reply: Reply<Reading>) => {
      thread.off('error', failed).off('exit', ended).unref()
      resolve(reply)
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
