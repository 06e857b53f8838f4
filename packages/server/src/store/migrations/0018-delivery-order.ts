import type { Migration } from '../columns.ts'

/** Pending deliveries in sending order: new ones in the order of their events, retries by time. */
export const deliveryOrder: Migration = {
  name: '0018-delivery-order',
  isConcurrent: true,
  statements: () => [
    `create index deliveries_order on deliveries (subscription_id, attempt_class,
      (case attempt_class when 0 then event_id else next_attempt_at end), id) where state = 'pending'`,
  ],
}
