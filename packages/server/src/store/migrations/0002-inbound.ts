import type { Migration } from './migration.ts'

/** What third parties push in, and what became of it. */
export const inbound: Migration = {
  name: '0002-inbound',
  statements: ({ idInWorkspace, reference, integer, endOfTable }) => [
    // Which key the secrets of this database are encrypted with.
    `create table encryption_key (
      id ${integer} primary key check (id = 1), fingerprint text not null, created_at ${integer} not null
    ) ${endOfTable}`,
    'alter table integrations add column secret_encrypted text',
    'alter table lead_sources add column secret_encrypted text',

    `create table inbound_deliveries (
      ${idInWorkspace}, integration text not null,
      status ${integer} not null, summary text not null, request_id text not null, received_at ${integer} not null
    ) ${endOfTable}`,
    'create index inbound_deliveries_newest on inbound_deliveries (workspace_id, integration, id desc)',

    `create table git_deliveries (
      ${idInWorkspace}, provider text not null,
      delivery_id text not null, event text not null, received_at ${integer} not null
    ) ${endOfTable}`,
    'create unique index git_deliveries_delivery on git_deliveries (workspace_id, provider, delivery_id)',

    `create table activities (
      ${idInWorkspace},
      ${reference('delivery_id', 'git_deliveries', 'on delete set null')}, provider text not null, event text not null,
      kind text not null, title text not null, ref text, url text, commit_sha text, actor text, actor_url text,
      repository text, repository_url text, occurred_at ${integer}, created_at ${integer} not null
    ) ${endOfTable}`,
    'create index activities_newest on activities (workspace_id, id desc)',
    // For when a delivery has grown old and goes, and its activities stay.
    'create index activities_delivery on activities (delivery_id)',

    `create table git_issue_tickets (
      workspace_id ${integer} not null references workspaces (id), provider text not null,
      repository_key text not null, issue_key text not null,
      repository text, issue ${integer}, url text, ${reference('ticket_id', 'tickets')},
      primary key (workspace_id, provider, repository_key, issue_key)
    ) ${endOfTable}`,

    `create table error_groups (
      ${idInWorkspace}, fingerprint text not null,
      ${reference('ticket_id', 'tickets')}, count ${integer} not null,
      first_seen_at ${integer} not null, last_seen_at ${integer} not null,
      message text, exception text, file text, line ${integer}, framework text, environment text, severity text,
      app text, sample text not null
    ) ${endOfTable}`,
    'create unique index error_groups_fingerprint on error_groups (workspace_id, fingerprint)',
    'create index error_groups_newest on error_groups (workspace_id, id desc)',

    'alter table leads add column phone_key text',
    `create unique index leads_open_phone on leads (workspace_id, phone_key)
      where phone_key is not null and email_key is null and status in ('new', 'contacted', 'qualified')`,

    // Every enquiry is kept, also of a person who is a lead already.
    `create table lead_enquiries (
      ${idInWorkspace}, ${reference('lead_id', 'leads', 'not null')},
      source text not null, external_id text, name text, email text, phone text, company text, notes text,
      received_at ${integer} not null
    ) ${endOfTable}`,
    `create unique index lead_enquiries_external on lead_enquiries (workspace_id, source, external_id)
      where external_id is not null`,
    'create index lead_enquiries_lead on lead_enquiries (lead_id, id)',
  ],
}
