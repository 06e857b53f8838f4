import { looseFindings } from '../loose/findings.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** The last reader: whatever calls an error by one of its usual names. It reads every object, if only as nothing. */
export const generic: Format = {
  name: 'generic',
  recognises: () => true,
  read: (report) => [toRecord(looseFindings(report))],
}
