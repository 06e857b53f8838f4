import type { Migration } from '../columns.ts'

/** Where a record without an author comes from. Only rules have an id, and rules create no tickets. */
export const origins: Migration = {
  name: '0035-origins',
  statements: ({ integer }) => [
    'alter table tickets add column origin text',
    'alter table tasks add column origin text',
    `alter table tasks add column origin_id ${integer}`,
    'alter table messages add column origin text',
    `alter table messages add column origin_id ${integer}`,
  ],
}
