import type { Migration } from '../columns.ts'

/** The clocks of devices, and corrections of punches. */
export const attendanceCorrections: Migration = {
  name: '0024-attendance-corrections',
  statements: ({ integer }) => [
    'alter table devices add column time_zone text',
    'alter table devices add column timestamp_format text',
    'alter table punches add column note text',
    'alter table punches add column reason text',
    `alter table punches add column corrected ${integer} not null default 0`,
    `alter table punches add column voided_at ${integer}`,
    `alter table punches add column replaced_by ${integer}`,
    `alter table inbound_deliveries add column device_id ${integer}`,
  ],
}
