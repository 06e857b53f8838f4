import type { Migration } from '../columns.ts'
import { wordIndexes } from './word-indexes.ts'

export const searchedRecords = {
  leads: ['name', 'email', 'phone', 'company'],
  accounts: ['name'],
  deals: ['title'],
  tasks: ['title'],
  projects: ['name'],
  messages: ['body'],
} as const

/** Records are found by the beginnings of their words. */
export const recordSearch: Migration = {
  name: '0031-record-search',
  isConcurrent: true,
  statements: ({ dialect }) => wordIndexes(dialect, searchedRecords),
}
