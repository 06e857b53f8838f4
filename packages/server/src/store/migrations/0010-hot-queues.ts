import type { Migration } from '../columns.ts'

/** Leases outside the indexed columns, so that PostgreSQL updates a leased queue in place (HOT). */
export const hotQueues: Migration = {
  name: '0010-hot-queues',
  statements: ({ dialect, integer }) => [
    `alter table delivery_queues add column notified_at ${integer}`,
    ...(dialect === 'sqlite'
      ? []
      : [
          // Few rows, each updated many times a second.
          `alter table delivery_queues set (fillfactor = 50,
            autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`,
          // Many rows, each updated or deleted once. A fifth of a large table would be too much before a vacuum.
          'alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02)',
          'alter table delivery_attempts set (autovacuum_vacuum_scale_factor = 0.02)',
          'alter table events set (autovacuum_vacuum_scale_factor = 0.02)',
        ]),
  ],
}
