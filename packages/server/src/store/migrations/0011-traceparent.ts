import type { Migration } from '../columns.ts'

/** The trace context of the change that caused an event. */
export const traceparent: Migration = {
  name: '0011-traceparent',
  statements: () => ['alter table events add column traceparent text'],
}
