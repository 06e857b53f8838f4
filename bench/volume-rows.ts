// The rows of `volume.ts` as SQL for both databases. One workspace, the first, has ten of eleven rows of each table; the
// others share the rest, interleaved as in a real database. `statement-plans.ts` of the server's tests uses a small copy.

export interface Volume {
  readonly dialect: 'sqlite' | 'postgres'
  /** Of the first workspace. All other rows follow from it. */
  readonly tickets: number
  /** They must exist. The first one has the ids 1 to `people` of its members, and 20 of each parent below. */
  readonly workspaces: number
  readonly now: number
}

/** The rows that `volumeStatements` refers to. */
export const parents = {
  people: 50,
  projects: 20,
  subscriptions: 20,
  employees: 40,
  devices: 5,
  channels: 5,
  rules: 5,
} as const

const day = 86_400_000_000
const days = 400

interface Table {
  readonly name: string
  /** Rows for each ticket of the first workspace. */
  readonly share: number
  /** Whether the rows exist only in the first workspace, because they refer to its rows. */
  readonly isOfFirst?: boolean
  /** Whether the table has no workspaces. */
  readonly isOfInstance?: boolean
  readonly columns: Readonly<Record<string, string>>
}

/** One of these texts for each row. */
const oneOf = (values: readonly string[], by = 'n') =>
  `case ${by} % ${values.length} ${values
    .slice(1)
    .map((value, index) => `when ${index + 1} then '${value}'`)
    .join(' ')} else '${values[0]}' end`

const many = (column: string, values: number, by = 'n') => `1 + (${by}) % ${values} /* ${column} */`

const words = [
  'invoice',
  'export',
  'login',
  'printer',
  'refund',
  'coupon',
  'shipping',
  'report',
  'contract',
  'backup',
  'calendar',
]

/** `:at` is when the row was created; `:ws` and `:k` its workspace and its number there; `n` counts all rows. */
const dayOf = (expression: string) => `:day(${expression})`

const tables: readonly Table[] = [
  {
    name: 'tickets',
    share: 1,
    columns: {
      number: ':k',
      title: `'The ' || ${oneOf(words)} || ' fails for the ' || ${oneOf(words, '(n / 13)')} || ' of ' || ${oneOf(words, '(n / 7)')} || case when n % 9973 = 0 then ' unicorn' else '' end`,
      description: `case when n % 3 = 0 then 'Reported by phone, case ' || n else null end`,
      status: `case when n % 25 = 0 then 'open' when n % 50 = 1 then 'in_progress' when n % 50 = 2 then 'pending' when n % 3 = 0 then 'resolved' else 'closed' end`,
      priority: oneOf(['low', 'medium', 'high', 'medium', 'urgent', 'low', 'low'], '(n / 3)'),
      assigned_to: `case when :ws = 1 and n % 6 > 0 then ${many('user', parents.people)} else null end`,
      created_by: `case when :ws = 1 then ${many('user', parents.people, 'n / 2')} else null end`,
      project_id: `case when :ws = 1 and n % 2 = 0 then ${many('project', parents.projects, 'n / 2')} else null end`,
      due_at: `case when n % 10 = 0 then ${dayOf(`:at + (n % 40 - 20) * ${day}`)} else null end`,
      tags: `case when n % 4 = 0 then '["billing"]' when n % 4 = 1 then '["' || ${oneOf(words, '(n / 4)')} || '","vip"]' else '[]' end`,
      first_response_due_at: 'case when n % 8 = 0 then :at + 3600000000 else null end',
      first_responded_at: 'case when n % 8 = 0 and n % 25 > 0 then :at + 1800000000 else null end',
      first_response_breached_at: 'case when n % 8 = 0 and n % 25 = 0 then :at + 3600000000 else null end',
      resolution_due_at: `case when n % 8 = 0 then :at + ${2 * day} else null end`,
      resolved_at: `case when n % 25 = 0 or n % 50 in (1, 2) then null else :at + ${day} end`,
      resolution_breached_at: `case when n % 8 = 0 then :at + ${2 * day} else null end`,
      created_at: ':at',
      updated_at: ':at + (n % 1000) * 1000000',
    },
  },
  {
    name: 'ticket_history',
    share: 0.25,
    isOfFirst: true,
    columns: {
      ticket_id: ':ticket',
      kind: "'changed'",
      changes: `'{"status":{"from":"open","to":"pending"}}'`,
      actor_kind: "'user'",
      actor_id: many('user', parents.people),
      at: ':at',
    },
  },
  {
    name: 'tasks',
    share: 0.1,
    columns: {
      title: `'Task ' || n`,
      status: oneOf(['done', 'todo', 'done', 'in_progress', 'done', 'review', 'done', 'done']),
      priority: oneOf(['low', 'medium', 'high', 'urgent'], '(n / 3)'),
      project_id: `case when :ws = 1 and n % 2 = 0 then ${many('project', parents.projects, 'n / 2')} else null end`,
      ticket_id: 'case when :ws = 1 and n % 5 = 0 then :ticket else null end',
      assigned_to: `case when :ws = 1 then ${many('user', parents.people)} else null end`,
      due_at: `case when n % 4 = 0 then :at + ${day} else null end`,
      created_at: ':at',
      updated_at: ':at',
    },
  },
  {
    name: 'messages',
    share: 0.05,
    isOfFirst: true,
    columns: {
      channel_id: many('channel', parents.channels),
      author_id: many('user', parents.people),
      body: "'Message ' || n",
      created_at: ':at',
    },
  },
  { name: 'accounts', share: 0.02, columns: { name: "'Account ' || n", created_at: ':at' } },
  {
    name: 'deals',
    share: 0.05,
    columns: {
      title: "'Deal ' || n",
      stage: oneOf(['won', 'lost', 'prospecting', 'lost', 'proposal', 'won', 'negotiation']),
      amount: 'case when n % 3 > 0 then n * 100 else null end',
      owner_id: `case when :ws = 1 then ${many('user', parents.people)} else null end`,
      expected_close_at: `case when n % 2 = 0 then ${dayOf(`:at + 30 * ${day}`)} else null end`,
      created_at: ':at',
      updated_at: ':at',
    },
  },
  {
    name: 'leads',
    share: 0.05,
    columns: {
      name: "'Lead ' || n",
      email: "'lead' || n || '@acme.example'",
      email_key: "'lead' || n || '@acme.example'",
      source: oneOf(['website', 'facebook', 'google_ads', 'website']),
      estimated_value: 'case when n % 3 = 0 then n * 10 else null end',
      status: oneOf(['new', 'lost', 'contacted', 'converted', 'lost', 'lost', 'lost'], '(n / 3)'),
      created_at: ':at',
      updated_at: ':at',
    },
  },
  {
    name: 'lead_enquiries',
    share: 0.05,
    columns: { lead_id: ':nth', source: "'website'", name: "'Lead ' || n", received_at: ':at' },
  },
  {
    name: 'punches',
    share: 0.15,
    isOfFirst: true,
    columns: {
      employee_id: many('employee', parents.employees, 'n / 2'),
      device_id: many('device', parents.devices),
      device_family: "'zkteco'",
      direction: "'toggle'",
      at: ':at',
      offset_minutes: '0',
      via: "'webhook'",
      action: oneOf(['check_in', 'check_out']),
      orphan: '0',
      received_at: ':at',
    },
  },
  {
    name: 'attendance_sessions',
    share: 0.075,
    isOfFirst: true,
    columns: {
      check_in_punch_id: '2 * n',
      employee_id: many('employee', parents.employees),
      check_in_at: ':at',
      check_out_at: ':at + 28800000000',
      day: dayOf(':at'),
    },
  },
  {
    name: 'unmatched_punches',
    share: 0.02,
    columns: {
      reason: "'unknown employee'",
      via: "'webhook'",
      body: "'{}'",
      body_hash: "'hash' || n",
      received_at: ':at',
      replayed_at: 'case when n % 1000 = 0 then null else :at end',
    },
  },
  {
    name: 'git_deliveries',
    share: 0.1,
    columns: { provider: "'github'", delivery_id: "'delivery' || n", event: "'push'", received_at: ':at' },
  },
  {
    name: 'activities',
    share: 0.1,
    columns: {
      provider: oneOf(['github', 'gitlab', 'github', 'github']),
      event: "'push'",
      kind: "'commit'",
      title: "'Commit ' || n",
      repository: oneOf(['northwind/shop', 'northwind/api', 'northwind/web']),
      created_at: ':at',
    },
  },
  {
    name: 'inbound_deliveries',
    share: 0.1,
    columns: {
      integration: oneOf(['errors', 'github', 'leads', 'errors']),
      status: '200',
      summary: "'Counted'",
      request_id: "'request ' || n",
      received_at: ':at',
      source: "case when n % 4 = 2 then 'website' else null end",
      body: "case when n % 20 = 0 then '{}' else null end",
    },
  },
  {
    name: 'error_groups',
    share: 0.1,
    columns: {
      fingerprint: "'fingerprint ' || n",
      ticket_id: 'case when :ws = 1 and n % 2 = 0 then :ticket else null end',
      count: '3',
      first_seen_at: ':at',
      last_seen_at: ':at + 1000000',
      message: "'Cannot read ' || n",
      exception: oneOf(['TypeError', 'RangeError', 'PDOException']),
      environment: oneOf(['production', 'production', 'staging']),
      severity: oneOf(['error', 'error', 'critical', 'warning', 'error'], '(n / 3)'),
      app: oneOf(['shop', 'api', 'web', 'shop', 'shop']),
      sample: "'{}'",
    },
  },
  {
    name: 'error_group_days',
    share: 0.1,
    columns: { group_id: ':nth', day: dayOf(':at'), count: '3', last_seen_at: ':at' },
  },
  { name: 'error_samples', share: 0.1, columns: { group_id: ':nth', slot: '0', sample: "'{}'", seen_at: ':at' } },
  {
    name: 'events',
    share: 0.25,
    isOfFirst: true,
    columns: {
      name: oneOf(['ticket.created', 'ticket.updated', 'ticket.created', 'lead.created']),
      body: `'{"event":"ticket.created"}'`,
      created_at: ':at',
      key: "'key ' || n",
      is_test: 'case when n % 5000 = 0 then 1 else 0 end',
    },
  },
  {
    name: 'deliveries',
    share: 0.25,
    isOfFirst: true,
    columns: {
      subscription_id: many('subscription', parents.subscriptions),
      event_id: 'n',
      state:
        "case when n % 5000 = 1 then 'held' when n % 700 = 2 then 'failed' when n % 90000 = 3 then 'pending' else 'succeeded' end",
      attempt_class: '1',
      attempts: '1',
      attempts_before: '0',
      next_attempt_at: ':at + 25920000000000',
      created_at: ':at',
      finished_at: ':at',
    },
  },
  {
    name: 'delivery_attempts',
    share: 0.25,
    isOfFirst: true,
    columns: {
      delivery_id: 'n',
      number: '1',
      started_at: ':at',
      duration_ms: '12',
      outcome: "'succeeded'",
      status: '200',
    },
  },
  {
    name: 'api_tokens',
    share: 0.01,
    columns: {
      user_id: many('user', parents.people),
      name: "'Token ' || n",
      token_hash: "'token ' || n",
      hint: "'abc'",
      scopes: "'[]'",
      created_at: ':at',
      revoked_at: ':at',
    },
  },
  {
    name: 'idempotency_keys',
    share: 0.02,
    columns: {
      scope: "'token 1'",
      key: "'key ' || n",
      request_hash: "'hash'",
      status: '201',
      answer: "'{}'",
      expires_at: ':at',
    },
  },
  {
    name: 'automation_runs',
    share: 0.1,
    isOfFirst: true,
    columns: {
      rule_id: many('rule', parents.rules),
      ticket_id: ':ticket',
      trigger_name: "'ticket_created'",
      outcome: "'applied'",
      detail: "'{}'",
      ran_at: ':at',
    },
  },
  {
    name: 'sessions',
    share: 0.02,
    isOfInstance: true,
    columns: {
      user_id: many('user', parents.people),
      token_hash: "'session ' || n",
      address: "'127.0.0.1'",
      created_at: ':at',
      last_seen_at: ':at',
      expires_at: ':at',
    },
  },
  {
    name: 'audit_log',
    share: 0.15,
    columns: {
      at: ':at',
      actor: "'user 1'",
      actor_name: "'Ada'",
      via: "'session'",
      address: "'127.0.0.1'",
      operation: oneOf(['tickets.create', 'tickets.update', 'tickets.update', 'leads.update']),
      resource: "'ticket ' || n",
      request_id: "'request ' || n",
    },
  },
]

/** Inserts of at most `batch` rows, to run in order. */
export function* volumeStatements(volume: Volume, batch = 50_000): Generator<string> {
  for (const table of tables) {
    const total = Math.round(volume.tickets * table.share * (table.isOfFirst ? 1 : 1.1))
    for (let from = 0; from < total; from += batch)
      yield insertion(volume, table, { from, to: Math.min(total, from + batch), total })
  }
  yield `insert into ticket_counters (workspace_id, last_number) select workspace_id, max(number) from tickets where true
    group by workspace_id on conflict (workspace_id) do update set last_number = excluded.last_number`
  yield `insert into resolved_counts (workspace_id, hour, tickets)
    select workspace_id, resolved_at / 3600000000, count(*) from tickets where resolved_at is not null group by 1, 2`
  yield `insert into delivery_counts (workspace_id, subscription_id, hour, succeeded, failed)
    select workspace_id, subscription_id, created_at / 3600000000, count(*), 0 from deliveries group by 1, 2, 3`
}

interface Range {
  readonly from: number
  readonly to: number
  readonly total: number
}

function insertion({ dialect, workspaces, now, tickets }: Volume, table: Table, { from, to, total }: Range): string {
  const others = workspaces - 1
  const workspace = table.isOfFirst ? '1' : `case when n % 11 = 0 then 2 + (n / 11) % ${others} else 1 end`
  const place = table.isOfFirst ? 'n' : `case when n % 11 = 0 then 1 + (n / 11) / ${others} else n - n / 11 end`
  const createdAt = `${now - days * day} + cast(n as bigint) * ${Math.floor((days * day) / total)}`
  const sourced = Object.entries(table.columns).map(([column, value]) => [column, value] as const)
  const fill = (text: string): string =>
    text
      .replaceAll(/:day\(((?:[^()]|\([^()]*\))*)\)/g, (_, at: string) => dayText(dialect, fill(at)))
      .replaceAll(':ws', 'ws')
      .replaceAll(':at', 'created')
      .replaceAll(':k', 'k')
      .replaceAll(':nth', 'n')
      // A ticket of the first workspace: its ids are not divisible by eleven.
      .replaceAll(':ticket', `(1 + 11 * (n % ${Math.floor(tickets / 11)}))`)
  const numbers =
    dialect === 'postgres'
      ? `(select n from generate_series(${from + 1}, ${to}) as n) as every`
      : `(with recursive counted (n) as (select ${from + 1} union all select n + 1 from counted where n < ${to}) select n from counted) as every`
  const [target, source] = table.isOfInstance ? ['', ''] : ['workspace_id, ', 'ws, ']
  return `insert into ${table.name} (${target}${sourced.map(([column]) => column).join(', ')})
    select ${source}${sourced.map(([, value]) => fill(value)).join(', ')}
    from (select n, ${workspace} as ws, ${place} as k, ${createdAt} as created from ${numbers}) as given`
}

const dayText = (dialect: Volume['dialect'], micros: string) =>
  dialect === 'postgres'
    ? `to_char(to_timestamp((${micros}) / 1000000), 'YYYY-MM-DD')`
    : `strftime('%Y-%m-%d', (${micros}) / 1000000, 'unixepoch')`

/** How many rows, undefined for one in each workspace, and the statement that inserts one. */
const parentRows: readonly (readonly [count: number | undefined, insert: (n: number) => string])[] = [
  [undefined, (n) => `insert into workspaces (name, time_zone, created_at) values ('Workspace ${n}', 'UTC', 0)`],
  [
    parents.people,
    (n) => `insert into users (name, email, created_at) values ('Person ${n}', 'p${n}@acme.example', 0)`,
  ],
  [
    parents.people,
    (n) => `insert into members (workspace_id, user_id, role, created_at) values (1, ${n}, 'member', 0)`,
  ],
  [
    undefined,
    (n) =>
      `insert into members (workspace_id, user_id, role, created_at) values (${n}, 1, 'owner', 0) on conflict do nothing`,
  ],
  [
    parents.projects,
    (n) =>
      `insert into projects (workspace_id, name, status, created_at, updated_at) values (1, 'Project ${n}', 'active', 0, 0)`,
  ],
  [parents.channels, (n) => `insert into channels (workspace_id, name, created_at) values (1, 'channel-${n}', 0)`],
  [
    parents.employees,
    (n) =>
      `insert into employees (workspace_id, user_id, person_text, created_at, updated_at) values (1, ${n}, 'Person ${n} p${n}@acme.example', 0, 0)`,
  ],
  [
    parents.devices,
    (n) =>
      `insert into devices (workspace_id, source_type, device_name, created_at) values (1, 'zkteco', 'Device ${n}', 0)`,
  ],
  [
    parents.rules,
    (
      n,
    ) => `insert into automation_rules (workspace_id, name, trigger_name, match, conditions, actions, enabled, created_at, updated_at)
        values (1, 'Rule ${n}', 'ticket_created', 'all', '[]', '[]', 0, 0, 0)`,
  ],
  [
    parents.subscriptions,
    (
      n,
    ) => `insert into subscriptions (workspace_id, url_encrypted, secret_encrypted, encoding, standard_webhooks, created_at, updated_at)
        values (1, 'url ${n}', 'secret', 'json', 0, 0, 0)`,
  ],
  [
    parents.subscriptions,
    (n) =>
      `insert into delivery_queues (workspace_id, subscription_id, send_limit, failures_in_a_row) values (1, ${n}, 1, 0)`,
  ],
  [
    parents.subscriptions,
    (n) => `insert into subscription_events (workspace_id, subscription_id, pattern) values (1, ${n}, '*')`,
  ],
]

/** Inserts the rows that those of `volumeStatements` refer to. */
export const parentStatements = ({ workspaces }: Volume): readonly string[] =>
  parentRows.flatMap(([count = workspaces, insert]) => Array.from({ length: count }, (_, n) => insert(n + 1)))
