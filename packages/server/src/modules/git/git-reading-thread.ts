import { parentPort } from 'node:worker_threads'
import { gitHosts } from '@service/intake/git/hosts/index'
import { UnreadableBody } from '@service/intake/sanitise/decode'
import type { ParsedDelivery, RawDelivery } from './inbound.ts'

/** The thread that reads large Git deliveries, one after the other; see `inbound.ts`. */
function read({ host, headers, body }: RawDelivery): ParsedDelivery {
  try {
    return { delivery: gitHosts[host].readEvent(headers, body) }
  } catch (fault) {
    if (fault instanceof UnreadableBody) return { unreadable: fault.message }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

parentPort?.on('message', (delivery: RawDelivery) => parentPort?.postMessage(read(delivery))) // sent by inbound.ts only
