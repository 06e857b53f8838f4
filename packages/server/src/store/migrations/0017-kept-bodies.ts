import type { Migration } from '../columns.ts'

/** Finds the newest bodies of an integration, of which a limited number is kept. */
export const keptBodies: Migration = {
  name: '0017-kept-bodies',
  statements: () => [
    `create index inbound_deliveries_kept on inbound_deliveries (workspace_id, integration, id desc)
      where body is not null`,
  ],
}
