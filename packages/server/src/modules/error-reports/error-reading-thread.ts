import { serveReadings } from '../../core/body-reading-thread.ts'
import { readKeyedReports } from './keyed-reports.ts'
import type { PackedReports, RawReports } from './read-body.ts'

/** Worker thread that parses large error report bodies; see `read-body.ts`. */
serveReadings((raw: RawReports): PackedReports => {
  const { reports, ignored } = readKeyedReports({ ...raw, headers: new Headers(raw.headers) })
  return { reports: reports.map(({ read: _, ...packed }) => packed), ignored }
})
