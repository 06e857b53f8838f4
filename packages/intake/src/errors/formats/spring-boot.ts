import { guessRecord } from '../heuristics/guess-record.ts'
import { has, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

/** Spring Boot's error attributes. What is in them depends on the settings: the message may be empty, the class missing. */
export const springBoot: Format = {
  name: 'spring-boot',
  about: {
    title: 'Spring Boot',
    by: '`timestamp`, `error`, `path` with `status` or `trace`',
    message: '`message`, else of the trace, else `error`',
    exception: '`exception`, else first word of `trace`',
    place: '`trace`',
    context: '–',
  },
  recognises: (report) =>
    has(report, 'timestamp') &&
    has(report, 'error') &&
    has(report, 'path') &&
    (typeof report['status'] === 'number' || has(report, 'trace')),
  read: (report) => {
    const found = guessRecord(report)
    const capture = textOf(report['trace'])
    const message = pick(report, 'message')
    return [
      toRecord({
        ...found,
        // Without a message of its own, that of the trace says more than the name of the status.
        message: message ?? (capture === null ? pick(report, 'error') : null),
        exception: pick(report, 'exception'),
        stack: capture,
        url: report['path'],
        status: report['status'],
      }),
    ]
  },
}
