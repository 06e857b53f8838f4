import type { ErrorLevel } from '@service/contract'
import { DecodeError } from '@service/intake/errors/decoding/decode-error'
import type { Mapping } from '@service/intake/mapping'
import { UnreadableBody } from '@service/intake/sanitise/decode'
import { ApiError, validation } from '../../core/errors.ts'
import { createReadingThread, threadFile } from '../../core/reading-thread.ts'
import type { KeyedReports, PackedReport } from './keyed-reports.ts'

/** A body as it came: plain data, so that it can cross to another thread. */
export interface RawReports {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** From which level on tickets are opened, or null: what is never counted is dropped while it is read. */
  readonly minLevel: ErrorLevel | null
  /** How the owner corrects what is read. */
  readonly mapping: Mapping | null
}

/** What the thread sends back: objects that cross to another thread are made at one go, texts one by one when needed. */
export type Reading =
  | KeyedReports<PackedReport>
  | { readonly refused: Pick<DecodeError, 'kind' | 'message'> }
  | { readonly fault: string }

/** What is read here takes a few milliseconds, however it is made; a small body may unpack to a thousand times its size. */
const readHere = { inflatedBytes: 64 * 1024, reports: 20 }

const thread = createReadingThread<RawReports, Reading>({
  file: threadFile('error-reading-thread', import.meta.url),
  mostWaiting: 128,
})

/** As `Headers` gives them; to make one costs as much as to read a small report. */
const asHeaders = (headers: RawReports['headers']) => ({ get: (name: string) => headers[name.toLowerCase()] ?? null })

let readers: Promise<typeof import('./keyed-reports.ts')> | undefined

/** The readers of all formats are a seventh of the program: who gets no reports does not load them. */
function loadReaders() {
  readers ??= import('./keyed-reports.ts')
  return readers
}

/** Every report of a body, masked and with its key. Throws `DecodeError`. */
export async function readReports(raw: RawReports): Promise<KeyedReports> {
  const { readKeyedReports } = await loadReaders()
  try {
    return readKeyedReports({ ...raw, headers: asHeaders(raw.headers), limits: readHere })
  } catch (refusal) {
    if (!(refusal instanceof DecodeError) || refusal.kind !== 'too_large') throw refusal
  }
  const reading = await thread.read(raw, 'copied')
  if ('reports' in reading) {
    const reports = reading.reports.map((report) => ({ ...report, read: () => JSON.parse(report.json) }))
    return { ...reading, reports }
  }
  throw 'refused' in reading ? new DecodeError(reading.refused.kind, reading.refused.message) : new Error(reading.fault)
}

/** A body that cannot be read is the sender's fault; anything else is ours. */
export function refuseUnreadable(fault: unknown): never {
  if (fault instanceof UnreadableBody) throw validation({ body: [fault.message] })
  if (!(fault instanceof DecodeError)) throw fault
  throw fault.kind === 'too_large'
    ? new ApiError('payload_too_large', fault.message)
    : validation({ body: [fault.message] })
}
