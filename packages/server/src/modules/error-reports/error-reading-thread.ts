import { parentPort } from 'node:worker_threads'
import { DecodeError } from '@service/intake/errors/decoding/decode-error'
import { readKeyedReports } from './keyed-reports.ts'
import type { RawReports, Reading } from './read-body.ts'

/** Worker thread that parses large error report bodies, one at a time; see `read-body.ts`. */
function read(raw: RawReports): Reading {
  try {
    const { reports, ignored } = readKeyedReports({ ...raw, headers: new Headers(raw.headers) })
    return { reports: reports.map(({ read: _, ...packed }) => packed), ignored }
  } catch (fault) {
    if (fault instanceof DecodeError) return { refused: { kind: fault.kind, message: fault.message } }
    return { fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }
  }
}

parentPort?.on('message', (raw: RawReports) => parentPort?.postMessage(read(raw))) // sent only by read-body.ts
