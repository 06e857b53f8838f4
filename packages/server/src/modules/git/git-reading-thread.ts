import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableBody } from '../../untrusted/decode.ts'
import { gitHosts } from './hosts/index.ts'
import type { RawDelivery, Reading } from './read-delivery.ts'

/** The thread that reads one large Git delivery; see `read-delivery.ts`. */
function read({ host, headers, body }: RawDelivery): Reading {
  try {
    return { delivery: gitHosts[host].readEvent(headers, body) }
  } catch (fault) {
    if (fault instanceof UnreadableBody) return { unreadable: fault.message }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

parentPort?.postMessage(read(workerData as RawDelivery)) // sent by read-delivery.ts only
