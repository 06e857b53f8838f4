import type { ErrorLevel } from '@service/contract'
import type { Mapping } from '@service/intake/evaluate-mapping'
import { UnreadableBody } from '@service/intake/sanitize/decode'
import { createReadingThread, threadFile } from '../../core/body-reading-thread.ts'
import { lazily } from '../../core/lazily.ts'
import type { KeyedReports, PackedReport } from './keyed-reports.ts'

/** A raw body as plain data, so that it can be posted to a worker thread. */
export interface RawReports {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Minimum level for tickets. Null: reports that are never counted are dropped while parsing. */
  readonly minLevel: ErrorLevel | null
  /** The owner's field mapping. */
  readonly mapping: Mapping | null
}

/** The thread's result. Objects are created when the message is deserialized; strings are decoded on demand. */
export type PackedReports = KeyedReports<PackedReport>

/** Bodies below these limits take a few milliseconds. A small body may decompress to a thousand times its size. */
const readHere = { inflatedBytes: 64 * 1024, reports: 20 }

const thread = createReadingThread<RawReports, PackedReports>({
  file: threadFile('error-reading-thread', import.meta.url),
  maxWaiting: 128,
})

/** Like `Headers.get`. Constructing a `Headers` object costs as much as parsing a small report. */
const asHeaders = (headers: RawReports['headers']) => ({ get: (name: string) => headers[name.toLowerCase()] ?? null })

/** The parsers make up a seventh of the program, so they are loaded with the first report. */
const loadReaders = lazily(() => import('./keyed-reports.ts'))

/** Parses every report of a body, masked and keyed. Throws `UnreadableBody`. */
export async function readReports(raw: RawReports, { workspaceId }: { workspaceId: number }): Promise<KeyedReports> {
  const { readKeyedReports } = await loadReaders()
  try {
    return readKeyedReports({ ...raw, headers: asHeaders(raw.headers), limits: readHere })
  } catch (refusal) {
    if (!(refusal instanceof UnreadableBody) || refusal.kind !== 'too_large') throw refusal
  }
  const { reports, ignored } = await thread.read(raw, { workspaceId, body: 'copied' })
  return { reports: reports.map((report) => ({ ...report, read: () => JSON.parse(report.json) })), ignored }
}
