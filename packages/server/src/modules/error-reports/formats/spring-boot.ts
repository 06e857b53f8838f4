import { has, pick, textOf } from '../json.ts'
import { looseFindings } from '../loose/findings.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** Spring Boot's error attributes. What is in them depends on the settings: the message may be empty, the class missing. */
export const springBoot: Format = {
  name: 'spring-boot',
  recognises: (report) =>
    has(report, 'timestamp') &&
    has(report, 'error') &&
    has(report, 'path') &&
    (typeof report['status'] === 'number' || has(report, 'trace')),
  read: (report) => {
    const found = looseFindings(report)
    const trace = textOf(report['trace'])
    const message = pick(report, 'message')
    return [
      toRecord({
        ...found,
        // Without a message of its own, that of the trace says more than the name of the status.
        message: message ?? (trace === null ? pick(report, 'error') : null),
        exception: pick(report, 'exception'),
        stack: trace,
        url: report['path'],
        status: report['status'],
      }),
    ]
  },
}
