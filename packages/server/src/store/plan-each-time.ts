import { sql } from 'kysely'

/** Begins the text of a statement that PostgreSQL is to plan at each execution. */
export const planEachTimeMark = '/* plan each time */'

/**
 * For statements whose best plan depends on the values: a word that is in every row wants another plan than one that is in
 * none. Such a statement gets no name, because PostgreSQL may plan a named one once for all values.
 */
export const planEachTime = sql.raw(planEachTimeMark)
