import { parentPort } from 'node:worker_threads'
import { gitHosts } from '@service/intake/git/hosts/index'
import { UnreadableBody } from '@service/intake/sanitize/decode'
import type { ParsedDelivery, RawDelivery } from './inbound.ts'

/** Worker thread that parses large Git deliveries, one at a time; see `inbound.ts`. */
function read({ host, headers, body }: RawDelivery): ParsedDelivery {
  try {
    return { delivery: gitHosts[host].readEvent(headers, body) }
  } catch (fault) {
    if (fault instanceof UnreadableBody) return { unreadable: fault.message }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

parentPort?.on('message', (delivery: RawDelivery) => parentPort?.postMessage(read(delivery))) // sent only by inbound.ts
