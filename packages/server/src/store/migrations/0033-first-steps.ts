import type { Migration } from '../columns.ts'

/** Whether the dashboard hides the first steps from a person. */
export const firstSteps: Migration = {
  name: '0033-first-steps',
  statements: ({ integer }) => [`alter table users add column hides_first_steps ${integer} not null default 0`],
}
