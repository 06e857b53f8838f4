import { type RawBuilder, sql } from 'kysely'

// Comments that say how a statement is planned. PostgreSQL may plan a named statement once for all values. A list needs
// another plan in a workspace with a million rows than in one with ten, and for a value that no row has.

/** Before or after the statements that PostgreSQL plans at each execution. */
const planEachTimeMark = '/* plan each time */'

export const planEachTime: RawBuilder<never> = sql.raw(planEachTimeMark)

const boundedReadMark = '/* bounded read */'

/**
 * After statements that filter a list, of which the caller has limited the rows to read. The tests accept their plans.
 * PostgreSQL plans them at each execution, too.
 */
export const boundedRead: RawBuilder<never> = sql.raw(boundedReadMark)

export const isPlannedEachTime = (statement: string): boolean =>
  statement.startsWith(planEachTimeMark) || statement.endsWith(planEachTimeMark) || statement.endsWith(boundedReadMark)
