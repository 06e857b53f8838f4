import type { GitDelivery, GitHostKey } from '@service/intake/git/activity'
import { gitHosts } from '@service/intake/git/hosts/index'
import { UnreadableBody } from '@service/intake/sanitise/decode'
import { createReadingThread, threadFile } from '../../core/reading-thread.ts'
import { currentCapture } from '../../core/request-capture.ts'

/** A delivery as it came: plain data, so that it can cross to another thread. */
export interface RawDelivery {
  readonly host: GitHostKey
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What the thread sends back. */
export type ParsedDelivery =
  | { readonly delivery: GitDelivery }
  | { readonly unreadable: string }
  | { readonly fault: string }

/** Read here within a few milliseconds; larger ones go to the thread. */
const largestReadHere = 512 * 1024

/** Reads a delivery. Throws `UnreadableBody` when it is none. */
export async function readDelivery(raw: RawDelivery): Promise<GitDelivery> {
  if (raw.body.length <= largestReadHere) return gitHosts[raw.host].readEvent(raw.headers, raw.body)
  const reading = await thread.read(raw, isTraced() ? 'copied' : 'handed over')
  if ('delivery' in reading) return reading.delivery
  throw 'unreadable' in reading ? new UnreadableBody(reading.unreadable) : new Error(reading.fault)
}

/** More would wait longer than a host does for its answer: ten seconds. It sends again what was refused. */
const thread = createReadingThread<RawDelivery, ParsedDelivery>({
  file: threadFile('git-reading-thread', import.meta.url),
  mostWaiting: 16,
})

/** Whoever writes requests down keeps their bodies. */
const isTraced = () => currentCapture() !== undefined
