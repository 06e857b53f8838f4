import { Worker } from 'node:worker_threads'
import { UnreadableBody } from '../../untrusted/decode.ts'
import type { GitDelivery, GitHostKey } from './activity.ts'
import { gitHosts } from './hosts/index.ts'

// Parsing 25 MiB of JSON takes a third of a second, in which nobody else would be answered. Bodies above the limit are
// read in a thread of their own; starting one costs about 30 ms, so small ones stay here.

/** A delivery as it came: plain data, so that it can cross to another thread. */
export interface RawDelivery {
  readonly host: GitHostKey
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What the thread sends back. */
export type Reading = { readonly delivery: GitDelivery } | { readonly unreadable: string } | { readonly fault: string }

const largestReadHere = 512 * 1024

/** Reads a delivery. Throws `UnreadableBody` when it is none. */
export async function readDelivery(raw: RawDelivery): Promise<GitDelivery> {
  if (raw.body.length <= largestReadHere) return gitHosts[raw.host].readEvent(raw.headers, raw.body)
  const reading = await readInThread(raw)
  if ('delivery' in reading) return reading.delivery
  throw 'unreadable' in reading ? new UnreadableBody(reading.unreadable) : new Error(reading.fault)
}

/** One body at a time: each takes a core, and a queue is fairer than a fleet of threads. */
let previous: Promise<unknown> = Promise.resolve()

function readInThread(raw: RawDelivery): Promise<Reading> {
  const reading = previous.then(() => runThread(raw))
  previous = reading.catch(() => undefined)
  return reading
}

/** Beside this file, from source as `.ts` and from the build as `.js`. */
const threadFile = new URL(`./git-reading-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

function runThread(raw: RawDelivery): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadFile, { workerData: raw })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The thread that reads Git deliveries ended with ${code}.`)))
  })
}
