import type { Migration } from './migration.ts'

/** When something was last done for the whole instance, so that of several processes one does it. */
export const operations: Migration = {
  name: '0009-operations',
  statements: ({ integer, endOfTable }) => [
    `create table operation_marks (name text primary key, at ${integer} not null) ${endOfTable}`,
  ],
}
