import type { Migration } from '../columns.ts'

/** Which nodes of the previous release may keep serving after a migration. */
export const rollingUpgrades: Migration = {
  name: '0014-rolling-upgrades',
  statements: () => ['alter table migrations add column compatible_with text'],
}
