import type { Migration } from './migration.ts'

/** What lists of tickets are found by, what happened to each ticket, and samples of reported errors. */
export const search: Migration = {
  name: '0008-search',
  statements: ({ dialect, idInWorkspace, reference, integer, endOfTable }) => [
    ...(dialect === 'sqlite' ? sqliteSearch : postgresSearch),
    // For counts of what is open in a project.
    `create index tickets_project_open on tickets (project_id)
      where project_id is not null and resolved_at is null`,

    // What happened to a ticket after its creation. It stays when events and deliveries grow old.
    `create table ticket_history (
      ${idInWorkspace},
      ${reference('ticket_id', 'tickets', 'not null')}, kind text not null, changes text not null,
      actor_kind text, actor_id ${integer}, at ${integer} not null
    ) ${endOfTable}`,
    'create index ticket_history_ticket on ticket_history (ticket_id, id)',

    `create table error_group_days (
      workspace_id ${integer} not null references workspaces (id), ${reference('group_id', 'error_groups', 'not null')},
      day text not null, count ${integer} not null, last_seen_at ${integer} not null,
      primary key (workspace_id, group_id, day)
    ) ${endOfTable}`,
    `create table error_samples (
      ${idInWorkspace},
      ${reference('group_id', 'error_groups', 'not null')}, slot ${integer} not null,
      sample text not null, seen_at ${integer} not null
    ) ${endOfTable}`,
    'create unique index error_samples_slot on error_samples (workspace_id, group_id, slot)',

    // Filters of other lists.
    'create index tasks_ticket on tasks (ticket_id, id) where ticket_id is not null',
    'create index tasks_project on tasks (project_id, id) where project_id is not null',
    'create index tasks_assigned_to on tasks (assigned_to, id) where assigned_to is not null',
    'create index tasks_parent on tasks (parent_id, id) where parent_id is not null',
    'create index deals_stage on deals (workspace_id, stage, id)',
    'create index deals_account on deals (account_id) where account_id is not null',
    'create index leads_status on leads (workspace_id, status, id)',
    'create index leads_source on leads (workspace_id, source, id)',
    'create index error_groups_app on error_groups (workspace_id, app, id)',
    'create index activities_repository on activities (workspace_id, repository, id)',
    'create index activities_provider on activities (workspace_id, provider, id)',

    // What a ticket shows of where it comes from and what rules did.
    'create index automation_runs_ticket on automation_runs (ticket_id, id)',
    'create index error_groups_ticket on error_groups (ticket_id, workspace_id) where ticket_id is not null',
    'create index git_issue_tickets_ticket on git_issue_tickets (ticket_id, workspace_id) where ticket_id is not null',
  ],
}

// `search-queries.ts` says what terms are in it. On SQLite they come separated by blanks, so the simplest tokenizer does; no
// positions are stored (`detail=none`), as there is no search for phrases.
const sqliteSearch = [
  `create virtual table ticket_search using fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars ':'"
  )`,
]

const postgresSearch = [
  `create table ticket_search (
    workspace_id bigint not null, ticket_id bigint not null, search tsvector not null,
    primary key (workspace_id, ticket_id)
  )`,
  // A search reads what new rows have put aside from end to end, for each block of tickets, so that must stay short.
  'create index ticket_search_terms on ticket_search using gin (search) with (gin_pending_list_limit = 64)',
]
