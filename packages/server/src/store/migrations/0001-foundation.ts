import type { Columns } from '../columns.ts'
import type { Migration } from './migration.ts'

// Conventions: instants are microseconds UTC (`…_at` integer), days are text `YYYY-MM-DD`, money is minor units,
// booleans are 0 or 1, lists and objects are JSON text.

export const foundation: Migration = {
  name: '0001-foundation',
  statements: (columns) => [...callers(columns), ...work(columns)],
}

/** Who calls, and how often. */
const callers = ({ id, idInWorkspace, integer, endOfTable, dialect }: Columns): readonly string[] => [
  // One row, which is written from time to time to see that the database takes changes.
  `create table health_checks (checked_at ${integer} not null, filler text) ${endOfTable}`,
  'insert into health_checks (checked_at) values (0)',

  `create table users (
      ${id}, name text not null, email text not null, password_hash text,
      is_instance_admin ${integer} not null default 0, disabled_at ${integer}, created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index users_email on users (email)',

  `create table workspaces (
      ${id}, name text not null, time_zone text not null, created_at ${integer} not null
    ) ${endOfTable}`,

  `create table members (
      workspace_id ${integer} not null references workspaces (id),
      user_id ${integer} not null references users (id),
      role text not null, created_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${endOfTable}`,

  `create table api_tokens (
      ${idInWorkspace},
      user_id ${integer} not null references users (id),
      name text not null, token_hash text not null, hint text not null, scopes text not null,
      expires_at ${integer}, revoked_at ${integer}, last_used_at ${integer}, created_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index api_tokens_token_hash on api_tokens (token_hash, workspace_id)',
  'create index api_tokens_workspace on api_tokens (workspace_id, id)',

  ...rateLimitWindows(dialect),
]

const work = ({ idInWorkspace, reference, integer, endOfTable }: Columns): readonly string[] => [
  `create table integrations (
      workspace_id ${integer} not null references workspaces (id), kind text not null,
      enabled ${integer} not null, secret_hash text, settings text not null,
      created_at ${integer} not null, updated_at ${integer} not null,
      primary key (workspace_id, kind)
    ) ${endOfTable}`,

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
      ${reference('project_id', 'projects')}, due_at text, resolved_at ${integer},
      created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create unique index tickets_number on tickets (workspace_id, number)',
  'create index tickets_newest on tickets (workspace_id, id desc)',

  `create table ticket_tags (
      workspace_id ${integer} not null, ${reference('ticket_id', 'tickets', 'not null')},
      position ${integer} not null, tag text not null,
      primary key (workspace_id, ticket_id, position)
    ) ${endOfTable}`,

  `create table tasks (
      ${idInWorkspace},
      title text not null, description text, status text not null, priority text not null,
      ${reference('project_id', 'projects')}, ${reference('ticket_id', 'tickets')},
      ${reference('parent_id', 'tasks')},
      assigned_to ${integer} references users (id), created_by ${integer} references users (id),
      due_at ${integer}, created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  'create index tasks_newest on tasks (workspace_id, id desc)',

  `create table task_tags (
      workspace_id ${integer} not null, ${reference('task_id', 'tasks', 'not null')},
      position ${integer} not null, tag text not null,
      primary key (workspace_id, task_id, position)
    ) ${endOfTable}`,

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

  `create table lead_sources (
      workspace_id ${integer} not null references workspaces (id), source text not null, active ${integer} not null,
      secret_hash text, created_at ${integer} not null, updated_at ${integer} not null,
      primary key (workspace_id, source)
    ) ${endOfTable}`,

  `create table leads (
      ${idInWorkspace}, name text not null,
      email text, email_key text, phone text, company text, source text not null, notes text,
      estimated_value ${integer}, status text not null, created_at ${integer} not null, updated_at ${integer} not null
    ) ${endOfTable}`,
  // Two requests at the same instant give one lead: the index decides, not a look beforehand.
  `create unique index leads_open_email on leads (workspace_id, email_key)
      where email_key is not null and status in ('new', 'contacted', 'qualified')`,
  'create index leads_newest on leads (workspace_id, id desc)',

  `create table events (
      ${idInWorkspace}, name text not null, body text not null,
      created_at ${integer} not null
    ) ${endOfTable}`,
  'create index events_workspace on events (workspace_id, id)',

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
const rateLimitWindows = (dialect: Columns['dialect']): readonly string[] =>
  dialect === 'sqlite'
    ? []
    : [
        `create unlogged table rate_limit_windows (
          key text primary key, hits bigint not null, ends_at bigint not null
        ) with (fillfactor = 50)`,
      ]
