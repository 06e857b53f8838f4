import type { Migration } from '../columns.ts'

/** The index that `deliveries_order` replaces. */
export const deliveryOrderOnly: Migration = {
  name: '0019-delivery-order-only',
  statements: () => ['drop index deliveries_due'],
}
