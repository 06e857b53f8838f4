import type { Migration } from './migration.ts'

/** Outbound webhooks: who subscribes, what is to be sent to whom, and what became of it. */
export const delivery: Migration = {
  name: '0003-delivery',
  statements: ({ idInWorkspace, reference, integer, endOfTable }) => [
    "alter table events add column key text not null default ''",
    `alter table events add column is_test ${integer} not null default 0`,

    `create table subscriptions (
      ${idInWorkspace}, url_encrypted text not null, description text,
      secret_encrypted text not null, previous_secret_encrypted text, previous_secret_until ${integer},
      encoding text not null, standard_webhooks ${integer} not null, headers_encrypted text, rate_per_minute ${integer},
      created_at ${integer} not null, updated_at ${integer} not null, deleted_at ${integer}
    ) ${endOfTable}`,
    'create index subscriptions_workspace on subscriptions (workspace_id, id)',

    // One row per pattern, so that whom an event goes to is one look into an index.
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

    // One row at most: how far due times are from the clock on the wall, after that was set while the process ran.
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
    // Only what waits is in here, so a look for due deliveries costs the same however long the history is.
    `create index deliveries_due on deliveries (subscription_id, attempt_class, next_attempt_at, id) where state = 'pending'`,

    // Events whose queues have not been told yet. Publishing only adds rows, so publishers never wait for one another.
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
  ],
}
