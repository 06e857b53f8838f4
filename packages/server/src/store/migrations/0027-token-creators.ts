import type { Migration } from '../columns.ts'

/** Who created a token for another person. */
export const tokenCreators: Migration = {
  name: '0027-token-creators',
  statements: ({ integer }) => [`alter table api_tokens add column created_by ${integer}`],
}
