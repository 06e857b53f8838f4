import type { Migration } from './migration.ts'

/** A schedule of a subscription's own, and deliveries strictly one after the other for those who want that. */
export const deliverySettings: Migration = {
  name: '0006-delivery-settings',
  statements: ({ integer }) => [
    'alter table subscriptions add column schedule text',
    `alter table subscriptions add column fifo ${integer} not null default 0`,
  ],
}
