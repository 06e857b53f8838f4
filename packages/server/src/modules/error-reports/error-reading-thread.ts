import { parentPort } from 'node:worker_threads'
import { DecodeError } from '@service/intake/errors/decoding/decode-error'
import { readKeyedReports } from './keyed-reports.ts'
import type { RawReports, Reading } from './read-body.ts'

/** The thread that reads large bodies of error reports, one after the other; see `read-body.ts`. */
function read(raw: RawReports): Reading {
  try {
    const { reports, ignored } = readKeyedReports({ ...raw, headers: new Headers(raw.headers) })
    return { reports: reports.map(({ read: _, ...packed }) => packed), ignored }
  } catch (fault) {
    if (fault instanceof DecodeError) return { refused: { kind: fault.kind, message: fault.message } }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

parentPort?.on('message', (raw: RawReports) => parentPort?.postMessage(read(raw))) // sent by read-body.ts only
