import type { Columns } from '../columns.ts'
import type { Migration } from './migration.ts'

/** Sign-in of people, and the log of what administration changes. */
export const people: Migration = {
  name: '0007-people',
  statements: (columns) => [...signIn(columns), ...auditLog(columns), ...appendOnly(columns)],
}

const signIn = ({ id, integer, endOfTable }: Columns): readonly string[] => [
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
  'create index members_user on members (user_id)',

  `create table one_time_links (
      code_hash text primary key, purpose text not null, user_id ${integer} references users (id),
      expires_at ${integer} not null
    ) ${endOfTable}`,
]

const auditLog = ({ id, integer, endOfTable }: Columns): readonly string[] => [
  // No foreign keys: an entry outlives what it tells of.
  `create table audit_log (
      ${id}, at ${integer} not null, actor text not null, actor_name text, via text, address text not null,
      operation text not null, workspace_id ${integer}, resource text, before_json text, after_json text,
      request_id text not null
    ) ${endOfTable}`,
  'create index audit_log_workspace on audit_log (workspace_id, id)',

  // One row: entries from before this instant may be removed.
  `create table audit_retention (removable_before ${integer} not null) ${endOfTable}`,
  'insert into audit_retention (removable_before) values (0)',
]

const refusal = 'The audit log is append-only.'

/**
 * Triggers refuse every change of an entry, and removing one that retention has not marked as old. They cannot stop an
 * owner of the database, who may drop them.
 */
const appendOnly = ({ dialect }: Columns): readonly string[] =>
  dialect === 'sqlite'
    ? [
        `create trigger audit_log_update before update on audit_log begin select raise(abort, '${refusal}'); end`,
        `create trigger audit_log_delete before delete on audit_log
          when old.at >= (select max(removable_before) from audit_retention)
          begin select raise(abort, '${refusal}'); end`,
        // `insert or replace` removes the row in its way without the trigger of deletions.
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
