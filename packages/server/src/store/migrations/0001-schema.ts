import type { Columns, Migration } from '../columns.ts'

// Conventions: instants are microseconds UTC (`…_at` integer), days are text `YYYY-MM-DD`, money is minor units,
// booleans are 0 or 1, lists and objects are JSON text.

export const schema: Migration = {
  name: '0001-schema',
  statements: (columns) => [
    ...people(columns),
    ...rateLimitWindows(columns),
    ...auditLog(columns),
    ...auditGuards(columns),
    ...work(columns),
    ...ticketSearch(columns),
    ...automation(columns),
    ...attendance(columns),
    ...crm(columns),
    ...inbound(columns),
    ...delivery(columns),
  ],
}

const people = ({ id, idInWorkspace, integer, endOfTable }: Columns): readonly string[] => [
  // One row, written periodically to check that the database accepts writes.
  `create table health_checks (checked_at ${integer} not null, filler text) ${endOfTable}`,
  'insert into health_checks (checked_at) values (0)',

  // Identifies the key that encrypts the secrets of this database.
  `create table encryption_key (
      id ${integer} primary key check (id = 1), fingerprint text not null, created_at ${integer} not null
    ) ${endOfTable}`,

  // When an instance-wide task last ran, so that only one of several processes runs it.
  `create table operation_marks (name text primary key, at ${integer} not null) ${endOfTable}`,

  `create table users (
      ${id}, name text not null, email text not null, password_hash text,
      is_instance_admin ${integer} not null default 0, disabled_at ${integer}, created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index users_email on users (email)',

  `create table workspaces (
      ${id}, name text not null, time_zone text not null,
      created_at ${integer} not null, currency text
    ) ${endOfTable}`,

  `create table members (
      workspace_id ${integer} not null references workspaces (id),
      user_id ${integer} not null references users (id),
      role text not null, created_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${endOfTable}`,
  'create index members_user on members (user_id)',

  // A workspace's own name for a person. It stays when the person is removed.
  `create table member_names (
      workspace_id ${integer} not null references workspaces (id),
      user_id ${integer} not null references users (id),
      name text not null,
      primary key (workspace_id, user_id)
    ) ${endOfTable}`,

  `create table sessions (
      ${id}, user_id ${integer} not null references users (id), token_hash text not null,
      address text not null, user_agent text,
      created_at ${integer} not null, last_seen_at ${integer} not null, expires_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index sessions_token_hash on sessions (token_hash)',
  'create index sessions_user on sessions (user_id, id)',

  `create table personal_tokens (
      ${id}, user_id ${integer} not null references users (id), name text not null, token_hash text not null,
      hint text not null, expires_at ${integer} not null, revoked_at ${integer}, last_used_at ${integer},
      created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index personal_tokens_token_hash on personal_tokens (token_hash)',
  'create index personal_tokens_user on personal_tokens (user_id, id)',

  `create table api_tokens (
      ${idInWorkspace},
      user_id ${integer} not null references users (id),
      name text not null, token_hash text not null, hint text not null, scopes text not null,
      expires_at ${integer}, revoked_at ${integer}, last_used_at ${integer}, created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index api_tokens_token_hash on api_tokens (token_hash, workspace_id)',
  'create index api_tokens_workspace on api_tokens (workspace_id, id)',

  `create table one_time_links (
      code_hash text primary key, purpose text not null, user_id ${integer} references users (id),
      expires_at ${integer} not null
    ) ${endOfTable}`,

  // The workspace is 0 for a request about the instance.
  `create table idempotency_keys (
      workspace_id ${integer} not null, scope text not null, key text not null, request_hash text not null,
      status ${integer}, answer text, expires_at ${integer} not null, primary key (workspace_id, scope, key)
    ) ${endOfTable}`,
  'create index idempotency_keys_expiry on idempotency_keys (expires_at)',
]

/**
 * Several nodes count together. Unlogged: a count waits for no disk, and a crash of the database may forget it. Half of each
 * page stays free, so that counting rewrites a row beside itself. On SQLite the one process counts in memory.
 */
const rateLimitWindows = ({ dialect }: Columns): readonly string[] =>
  dialect === 'sqlite'
    ? []
    : [
        `create unlogged table rate_limit_windows (
          key text primary key, hits bigint not null, ends_at bigint not null
        ) with (fillfactor = 50)`,
      ]

const auditLog = ({ id, integer, endOfTable }: Columns): readonly string[] => [
  // No foreign keys: an entry outlives the rows it describes.
  `create table audit_log (
      ${id}, at ${integer} not null, actor text not null, actor_name text, via text, address text not null,
      operation text not null, workspace_id ${integer}, resource text, before_json text, after_json text,
      request_id text not null
    ) ${endOfTable}`,
  'create index audit_log_workspace on audit_log (workspace_id, id)',

  // One row: entries before this instant may be deleted.
  `create table audit_retention (removable_before ${integer} not null) ${endOfTable}`,
  'insert into audit_retention (removable_before) values (0)',
]

const refusal = 'The audit log is append-only.'

/**
 * Triggers refuse every change of an entry, and removing one that retention has not marked as old. They cannot stop an
 * owner of the database, who may drop them.
 */
const auditGuards = ({ dialect }: Columns): readonly string[] =>
  dialect === 'sqlite'
    ? [
        `create trigger audit_log_update before update on audit_log begin select raise(abort, '${refusal}'); end`,
        `create trigger audit_log_delete before delete on audit_log
          when old.at >= (select max(removable_before) from audit_retention)
          begin select raise(abort, '${refusal}'); end`,
        // `insert or replace` deletes the conflicting row without firing the delete trigger.
        `create trigger audit_log_insert before insert on audit_log
          when exists (select 1 from audit_log where id = new.id)
          begin select raise(abort, '${refusal}'); end`,
        `create trigger audit_retention_delete before delete on audit_retention
          begin select raise(abort, '${refusal}'); end`,
      ]
    : [
        `create function audit_log_refuse() returns trigger language plpgsql as $$
          begin raise exception '${refusal}'; end $$`,
        `create function audit_log_may_delete() returns trigger language plpgsql as $$
          begin
            if old.at < (select max(removable_before) from audit_retention) then return old; end if;
            raise exception '${refusal}';
          end $$`,
        `create trigger audit_log_update before update on audit_log
          for each row execute function audit_log_refuse()`,
        `create trigger audit_log_delete before delete on audit_log
          for each row execute function audit_log_may_delete()`,
        `create trigger audit_log_truncate before truncate on audit_log
          for each statement execute function audit_log_refuse()`,
        `create trigger audit_retention_delete before delete on audit_retention
          for each row execute function audit_log_refuse()`,
        `create trigger audit_retention_truncate before truncate on audit_retention
          for each statement execute function audit_log_refuse()`,
      ]

const work = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table projects (
      ${idInWorkspace},
      name text not null, status text not null, color text, starts_at text, due_at text,
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create index projects_newest on projects (workspace_id, id desc)',

  `create table ticket_counters (
      workspace_id ${integer} primary key references workspaces (id), last_number ${integer} not null
    ) ${endOfTable}`,

  `create table tickets (
      ${idInWorkspace}, number ${integer} not null,
      title text not null, description text, status text not null, priority text not null, category text,
      assigned_to ${integer} references users (id), created_by ${integer} references users (id),
      ${reference('project_id', 'projects')}, due_at text, tags text not null default '[]',
      first_response_due_at ${integer}, first_responded_at ${integer}, first_response_breached_at ${integer},
      resolution_due_at ${integer}, resolved_at ${integer}, resolution_breached_at ${integer},
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index tickets_number on tickets (workspace_id, number)',
  `create index tickets_first_response_due on tickets (first_response_due_at)
      where first_response_due_at is not null and first_responded_at is null and first_response_breached_at is null`,
  `create index tickets_resolution_due on tickets (resolution_due_at)
      where resolution_due_at is not null and resolved_at is null and resolution_breached_at is null`,
  // For the number of open tickets of a project.
  `create index tickets_project_open on tickets (project_id)
      where project_id is not null and resolved_at is null`,
  // The overview counts recently resolved and pending tickets.
  'create index tickets_resolved on tickets (workspace_id, resolved_at) where resolved_at is not null',
  `create index tickets_responses_waiting on tickets (workspace_id, first_response_due_at)
      where first_response_due_at is not null and first_responded_at is null`,
  `create index tickets_resolutions_waiting on tickets (workspace_id, resolution_due_at)
      where resolution_due_at is not null and resolved_at is null`,

  // Changes of a ticket after its creation. They outlive events and deliveries.
  `create table ticket_history (
      ${idInWorkspace},
      ${reference('ticket_id', 'tickets', 'not null')}, kind text not null, changes text not null,
      actor_kind text, actor_id ${integer}, at ${integer} not null
    ) ${endOfTable}`,
  'create index ticket_history_ticket on ticket_history (ticket_id, id)',

  `create table tasks (
      ${idInWorkspace},
      title text not null, description text, status text not null, priority text not null,
      ${reference('project_id', 'projects')}, ${reference('ticket_id', 'tickets')},
      ${reference('parent_id', 'tasks')},
      assigned_to ${integer} references users (id), created_by ${integer} references users (id),
      due_at ${integer}, tags text not null default '[]',
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create index tasks_newest on tasks (workspace_id, id desc)',
  // Filters of other lists.
  'create index tasks_ticket on tasks (ticket_id, id) where ticket_id is not null',
  'create index tasks_project on tasks (project_id, id) where project_id is not null',
  'create index tasks_assigned_to on tasks (assigned_to, id) where assigned_to is not null',
  'create index tasks_parent on tasks (parent_id, id) where parent_id is not null',

  `create table channels (
      ${idInWorkspace}, name text not null, created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index channels_name on channels (workspace_id, name)',

  `create table messages (
      ${idInWorkspace},
      ${reference('channel_id', 'channels', 'not null')}, author_id ${integer} references users (id),
      body text not null, created_at ${integer} not null
    ) ${endOfTable}`,
  'create index messages_channel on messages (channel_id, id desc)',
]

// `search-queries.ts` defines the terms. On SQLite they are separated by spaces, so the simplest tokenizer is enough; no
// positions are stored (`detail=none`), as there is no search for phrases.
const ticketSearch = ({ dialect }: Columns): readonly string[] =>
  dialect === 'sqlite'
    ? [
        `create virtual table ticket_search using fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':'"
  )`,
      ]
    : [
        `create table ticket_search (
    workspace_id bigint not null, ticket_id bigint not null, search tsvector not null,
    primary key (workspace_id, ticket_id)
  )`,
        // A search scans the pending list of the index for each block of tickets, so it must stay short.
        'create index ticket_search_terms on ticket_search using gin (search) with (gin_pending_list_limit = 64)',
      ]

const automation = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table sla_policies (
      workspace_id ${integer} not null references workspaces (id), priority text not null,
      first_response_minutes ${integer}, resolution_minutes ${integer}, updated_at ${integer} not null,
      primary key (workspace_id, priority)
    ) ${endOfTable}`,

  `create table automation_rules (
      ${idInWorkspace}, name text not null, trigger_name text not null,
      match text not null, conditions text not null, actions text not null, enabled ${integer} not null,
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create index automation_rules_trigger on automation_rules (workspace_id, trigger_name, id)',

  `create table automation_runs (
      ${idInWorkspace},
      ${reference('rule_id', 'automation_rules', 'not null')}, ${reference('ticket_id', 'tickets', 'not null')},
      trigger_name text not null, outcome text not null, detail text not null, ran_at ${integer} not null
    ) ${endOfTable}`,
  'create index automation_runs_newest on automation_runs (workspace_id, id desc)',
  // The source of a ticket and the runs of its rules.
  'create index automation_runs_ticket on automation_runs (ticket_id, id)',
]

const attendance = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table employees (
      ${idInWorkspace},
      user_id ${integer} not null references users (id), employee_code text, attendance_uid text,
      department text, job_title text, employment_type text, joined_at text,
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index employees_user on employees (workspace_id, user_id)',
  'create unique index employees_code on employees (workspace_id, employee_code) where employee_code is not null',
  'create unique index employees_uid on employees (workspace_id, attendance_uid) where attendance_uid is not null',
  'create index employees_newest on employees (workspace_id, id desc)',

  `create table devices (
      ${idInWorkspace},
      source_type text not null, device_name text not null, external_device_id text, secret_hash text,
      created_at ${integer} not null
    ) ${endOfTable}`,
  `create unique index devices_external on devices (workspace_id, source_type, external_device_id)
      where external_device_id is not null`,
  'create index devices_workspace on devices (workspace_id, id)',

  `create table punches (
      ${idInWorkspace},
      ${reference('employee_id', 'employees', 'not null')}, ${reference('device_id', 'devices', 'not null')},
      device_family text not null, direction text not null, at ${integer} not null, offset_minutes ${integer} not null,
      via text not null, action text not null, ${reference('duplicate_of', 'punches')},
      orphan ${integer} not null, ${reference('check_in_punch_id', 'punches')},
      received_at ${integer} not null
    ) ${endOfTable}`,
  'create index punches_employee on punches (employee_id, workspace_id, at, id)',
  'create index punches_newest on punches (workspace_id, at desc, id desc)',

  `create table attendance_sessions (
      ${reference('check_in_punch_id', 'punches', 'not null')},
      workspace_id ${integer} not null references workspaces (id),
      ${reference('employee_id', 'employees', 'not null')},
      check_in_at ${integer} not null, ${reference('check_out_punch_id', 'punches')}, check_out_at ${integer},
      day text not null, primary key (check_in_punch_id, workspace_id)
    ) ${endOfTable}`,
  'create index attendance_sessions_employee on attendance_sessions (employee_id, workspace_id, check_in_at)',
  'create index attendance_sessions_newest on attendance_sessions (workspace_id, check_in_at desc, check_in_punch_id desc)',

  `create table unmatched_punches (
      ${idInWorkspace}, reason text not null, via text not null,
      body text not null, body_hash text not null, received_at ${integer} not null, replayed_at ${integer},
      ${reference('punch_id', 'punches')}
    ) ${endOfTable}`,
  'create unique index unmatched_punches_body on unmatched_punches (workspace_id, body_hash)',
  'create index unmatched_punches_newest on unmatched_punches (workspace_id, id desc)',
]

const crm = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table accounts (
      ${idInWorkspace}, name text not null, created_at ${integer} not null
    ) ${endOfTable}`,
  'create index accounts_workspace on accounts (workspace_id, id)',

  `create table deals (
      ${idInWorkspace}, title text not null, stage text not null,
      amount ${integer}, ${reference('account_id', 'accounts')}, owner_id ${integer} references users (id),
      expected_close_at text, created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create index deals_newest on deals (workspace_id, id desc)',
  'create index deals_stage on deals (workspace_id, stage, id)',
  'create index deals_account on deals (account_id) where account_id is not null',

  `create table lead_sources (
      workspace_id ${integer} not null references workspaces (id), source text not null, active ${integer} not null,
      secret_hash text, secret_encrypted text, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (workspace_id, source)
    ) ${endOfTable}`,

  `create table leads (
      ${idInWorkspace}, name text not null,
      email text, email_key text, phone text, company text, source text not null, notes text,
      estimated_value ${integer}, status text not null, created_at ${integer} not null, updated_at ${integer} not null,
      phone_key text
    ) ${endOfTable}`,
  // Concurrent requests create one lead: the index decides, not an earlier query.
  `create unique index leads_open_email on leads (workspace_id, email_key)
      where email_key is not null and status in ('new', 'contacted', 'qualified')`,
  'create index leads_newest on leads (workspace_id, id desc)',
  `create unique index leads_open_phone on leads (workspace_id, phone_key)
      where phone_key is not null and email_key is null and status in ('new', 'contacted', 'qualified')`,
  'create index leads_status on leads (workspace_id, status, id)',
  'create index leads_source on leads (workspace_id, source, id)',

  // Every inquiry is stored, even if its sender is already a lead.
  `create table lead_enquiries (
      ${idInWorkspace}, ${reference('lead_id', 'leads', 'not null')},
      source text not null, external_id text, name text, email text, phone text, company text, notes text,
      received_at ${integer} not null
    ) ${endOfTable}`,
  `create unique index lead_enquiries_external on lead_enquiries (workspace_id, source, external_id)
      where external_id is not null`,
  'create index lead_enquiries_lead on lead_enquiries (lead_id, id)',
]

const inbound = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table integrations (
      workspace_id ${integer} not null references workspaces (id), kind text not null,
      enabled ${integer} not null, secret_hash text, secret_encrypted text, settings text not null,
      created_at ${integer} not null, updated_at ${integer} not null,
      primary key (workspace_id, kind)
    ) ${endOfTable}`,

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
  // For retention, which deletes a delivery and keeps its activities.
  'create index activities_delivery on activities (delivery_id)',
  'create index activities_repository on activities (workspace_id, repository, id)',
  'create index activities_provider on activities (workspace_id, provider, id)',

  `create table git_issue_tickets (
      workspace_id ${integer} not null references workspaces (id), provider text not null,
      repository_key text not null, issue_key text not null,
      repository text, issue ${integer}, url text, ${reference('ticket_id', 'tickets')},
      primary key (workspace_id, provider, repository_key, issue_key)
    ) ${endOfTable}`,
  'create index git_issue_tickets_ticket on git_issue_tickets (ticket_id, workspace_id) where ticket_id is not null',

  `create table error_groups (
      ${idInWorkspace}, fingerprint text not null,
      ${reference('ticket_id', 'tickets')}, count ${integer} not null,
      first_seen_at ${integer} not null, last_seen_at ${integer} not null,
      message text, exception text, file text, line ${integer}, framework text, environment text, severity text,
      app text, sample text not null
    ) ${endOfTable}`,
  'create unique index error_groups_fingerprint on error_groups (workspace_id, fingerprint)',
  'create index error_groups_newest on error_groups (workspace_id, id desc)',
  'create index error_groups_app on error_groups (workspace_id, app, id)',
  'create index error_groups_ticket on error_groups (ticket_id, workspace_id) where ticket_id is not null',

  `create table error_group_days (
      workspace_id ${integer} not null references workspaces (id), ${reference('group_id', 'error_groups', 'not null')},
      day text not null, count ${integer} not null, last_seen_at ${integer} not null,
      primary key (workspace_id, group_id, day)
    ) ${endOfTable}`,
  'create index error_group_days_day on error_group_days (workspace_id, day)',

  `create table error_samples (
      ${idInWorkspace},
      ${reference('group_id', 'error_groups', 'not null')}, slot ${integer} not null,
      sample text not null, seen_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index error_samples_slot on error_samples (workspace_id, group_id, slot)',
]

/** Outbound webhooks: subscriptions, events, deliveries, and attempts. */
const delivery = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table events (
      ${idInWorkspace}, name text not null, body text not null, created_at ${integer} not null,
      key text not null default '', is_test ${integer} not null default 0
    ) ${endOfTable}`,
  'create index events_workspace on events (workspace_id, id)',

  `create table subscriptions (
      ${idInWorkspace}, url_encrypted text not null, description text,
      secret_encrypted text not null, previous_secret_encrypted text, previous_secret_until ${integer},
      encoding text not null, standard_webhooks ${integer} not null, headers_encrypted text, rate_per_minute ${integer},
      schedule text, fifo ${integer} not null default 0,
      created_at ${integer} not null, updated_at ${integer} not null, deleted_at ${integer}
    ) ${endOfTable}`,
  'create index subscriptions_workspace on subscriptions (workspace_id, id)',

  // One row per pattern, so that one index lookup finds the subscriptions of an event.
  `create table subscription_events (
      workspace_id ${integer} not null references workspaces (id), pattern text not null,
      ${reference('subscription_id', 'subscriptions', 'not null')},
      primary key (workspace_id, pattern, subscription_id)
    ) ${endOfTable}`,
  'create index subscription_events_subscription on subscription_events (subscription_id)',

  `create table delivery_queues (
      ${reference('subscription_id', 'subscriptions', 'not null')}, workspace_id ${integer} not null,
      due_at ${integer}, lease_until ${integer}, lease_token text,
      send_limit ${integer} not null, failures_in_a_row ${integer} not null, paused_until ${integer},
      paced_until ${integer}, failing_since ${integer}, failing_days ${integer} not null default 0, last_success_at ${integer}, last_failure_at ${integer},
      disabled_at ${integer}, disabled_reason text, primary key (subscription_id, workspace_id)
    ) ${endOfTable}`,
  'create index delivery_queues_due on delivery_queues (due_at) where due_at is not null',
  'create index delivery_queues_failing on delivery_queues (failing_since) where failing_since is not null',

  // At most one row: the offset of due times from the wall clock, after the clock was set at runtime.
  `create table delivery_schedule (id ${integer} primary key, ahead_by ${integer} not null) ${endOfTable}`,

  `create table deliveries (
      ${idInWorkspace},
      ${reference('subscription_id', 'subscriptions', 'not null')},
      ${reference('event_id', 'events', 'not null')}, state text not null, attempt_class ${integer} not null,
      attempts ${integer} not null, attempts_before ${integer} not null, next_attempt_at ${integer} not null,
      error text, created_at ${integer} not null, finished_at ${integer}
    ) ${endOfTable}`,
  'create unique index deliveries_event on deliveries (event_id, workspace_id, subscription_id)',
  'create index deliveries_newest on deliveries (workspace_id, id)',
  'create index deliveries_subscription on deliveries (subscription_id, workspace_id, id)',
  // Contains only pending deliveries, so finding due ones costs the same with any history.
  `create index deliveries_due on deliveries (subscription_id, attempt_class, next_attempt_at, id) where state = 'pending'`,

  // Events whose queues are not marked due yet. Publishing only adds rows, so publishers never block each other.
  `create table unrouted_events (
      ${reference('event_id', 'events', 'not null')}, workspace_id ${integer} not null, primary key (event_id, workspace_id)
    ) ${endOfTable}`,

  `create table delivery_attempts (
      ${idInWorkspace}, ${reference('delivery_id', 'deliveries', 'not null')}, number ${integer} not null,
      started_at ${integer} not null, duration_ms ${integer} not null, outcome text not null, status ${integer},
      error text, response text, ip text
    ) ${endOfTable}`,
  'create index delivery_attempts_delivery on delivery_attempts (delivery_id, id)',

  `create table delivery_jobs (
      ${idInWorkspace},
      ${reference('subscription_id', 'subscriptions', 'not null')}, kind text not null, since ${integer} not null,
      cursor ${integer} not null, last_id ${integer} not null, done ${integer} not null, state text not null,
      created_at ${integer} not null, finished_at ${integer}
    ) ${endOfTable}`,
  'create index delivery_jobs_newest on delivery_jobs (workspace_id, id)',
  `create index delivery_jobs_running on delivery_jobs (id) where state = 'running'`,
]
