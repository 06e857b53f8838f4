import type { Migration } from '../columns.ts'
import { wordIndexes } from './word-indexes.ts'

export const searchedEmployeesAndErrors = {
  employees: ['employee_code', 'person_text'],
  error_groups: ['exception', 'message'],
} as const

/** Employees and errors are found like other records. The index by person finds the profiles that a new name changes. */
export const employeeAndErrorSearch: Migration = {
  name: '0037-employee-and-error-search',
  isConcurrent: true,
  statements: ({ dialect }) => [
    ...wordIndexes(dialect, searchedEmployeesAndErrors),
    'create index employees_person on employees (user_id)',
  ],
}
