import type { Migration } from '../columns.ts'

/** An inquiry's id is unique only within its form, so two people with one id are both stored. */
export const enquiryScope: Migration = {
  name: '0016-enquiry-scope',
  statements: () => [
    'alter table lead_enquiries add column scope text',
    'alter table lead_enquiries add column copy_key text',
    'drop index lead_enquiries_external',
    `create index lead_enquiries_external on lead_enquiries (workspace_id, source, external_id, id)
      where external_id is not null`,
    `create unique index lead_enquiries_copy on lead_enquiries (workspace_id, copy_key) where copy_key is not null`,
  ],
}
