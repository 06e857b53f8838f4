import type { Migration } from '../columns.ts'

/** Mappings of lead sources, the bodies of inbound deliveries, and how many tickets errors opened in an hour. */
export const inboundMapping: Migration = {
  name: '0002-inbound-mapping',
  statements: ({ integer, endOfTable }) => [
    'alter table lead_sources add column mapping text',
    'alter table inbound_deliveries add column source text',
    'alter table inbound_deliveries add column content_type text',
    'alter table inbound_deliveries add column body text',
    `alter table inbound_deliveries add column opened ${integer} not null default 0`,
    'alter table inbound_deliveries add column counted text',
    `create table error_ticket_budgets (
      workspace_id ${integer} primary key references workspaces (id),
      hour ${integer} not null, opened ${integer} not null
    ) ${endOfTable}`,
    'create index inbound_deliveries_bodies on inbound_deliveries (id) where body is not null',
  ],
}
