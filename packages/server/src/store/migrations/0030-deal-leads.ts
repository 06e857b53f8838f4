import type { Migration } from '../columns.ts'

/** The lead that a deal was made from. */
export const dealLeads: Migration = {
  name: '0030-deal-leads',
  statements: ({ integer }) => [
    `alter table deals add column lead_id ${integer}`,
    'create index deals_lead on deals (lead_id) where lead_id is not null',
  ],
}
