import type { Migration } from '../columns.ts'

/** The terms of the search index on SQLite. A view: it stores nothing. */
export const searchTerms: Migration = {
  name: '0021-search-terms',
  statements: ({ dialect }) =>
    dialect === 'sqlite' ? [`create virtual table ticket_search_terms using fts5vocab(ticket_search, instance)`] : [],
}
