import type { Migration } from './migration.ts'

/** Service levels per priority, rules, and what they did. */
export const automation: Migration = {
  name: '0005-automation',
  statements: ({ idInWorkspace, reference, integer, endOfTable }) => [
    `alter table tickets add column first_response_due_at ${integer}`,
    `alter table tickets add column resolution_due_at ${integer}`,
    `alter table tickets add column first_responded_at ${integer}`,
    `alter table tickets add column first_response_breached_at ${integer}`,
    `alter table tickets add column resolution_breached_at ${integer}`,
    `create index tickets_first_response_due on tickets (first_response_due_at)
      where first_response_due_at is not null and first_responded_at is null and first_response_breached_at is null`,
    `create index tickets_resolution_due on tickets (resolution_due_at)
      where resolution_due_at is not null and resolved_at is null and resolution_breached_at is null`,

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
  ],
}
