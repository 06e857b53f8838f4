import type { Migration } from './migration.ts'

/** The ISO 4217 code of the amounts in a workspace; null where no one has chosen it. */
export const workspaceCurrency: Migration = {
  name: '0012-workspace-currency',
  statements: () => ['alter table workspaces add column currency text'],
}
