import type { Migration } from '../columns.ts'

/** For the deletion of expired windows. Counting changes no indexed column until a window ends. */
export const rateLimitExpiry: Migration = {
  name: '0029-rate-limit-expiry',
  statements: ({ dialect }) =>
    dialect === 'sqlite' ? [] : ['create index rate_limit_windows_end on rate_limit_windows (ends_at)'],
}
