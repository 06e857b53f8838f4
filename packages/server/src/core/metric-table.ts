export interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels?: readonly string[]
  /** One sentence, also the HELP text of the scrape. */
  readonly help: string
  /** What an operator does about it, in Markdown. */
  readonly advice: string
  /** The only database that has it. */
  readonly only?: 'SQLite' | 'PostgreSQL'
}

/** Every metric of `GET /metrics`, in its order. The documentation of the metrics is made from this table. */
export const metricTable = {
  service_build_info: {
    type: 'gauge',
    labels: ['version'],
    help: 'Always 1; the label is the version of the server.',
    advice: 'During a rolling upgrade, two versions are normal. Afterwards, restart the node that was forgotten.',
  },
  service_http_requests_total: {
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Answered requests by the pattern of their path and their status.',
    advice:
      'Many 5xx: read the log lines with the level `error`. Many 401 or 429: see the sections on refused callers. The route `unknown` counts paths that do not exist, and `refused` counts requests that an overloaded server did not start.',
  },
  service_http_request_seconds: {
    type: 'histogram',
    help: 'Duration of requests.',
    advice: 'Compare with the event-loop delay (a busy process) and the waits for a connection (a slow database).',
  },
  service_http_requests_waiting: {
    type: 'gauge',
    help: 'Requests that wait because 64 are handled already. More than 1,024 are refused with 503.',
    advice: 'Above zero for minutes: add a node, or find the slow route.',
  },
  service_body_bytes_in_flight: {
    type: 'gauge',
    help: 'Bytes of request bodies in memory.',
    advice: 'Near the limit, large uploads get 503. Raise `SERVICE_MAX_BODY_BYTES_IN_FLIGHT` if there is memory.',
  },
  service_body_bytes_limit: {
    type: 'gauge',
    help: 'Limit for bytes of request bodies in memory.',
    advice: 'Compare with the line above.',
  },
  service_delivery_attempts_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Attempts to deliver webhooks by outcome.',
    advice: 'Everything but `ok` is a failing receiver, or a network that the server cannot leave.',
  },
  service_delivery_attempt_seconds: {
    type: 'histogram',
    help: 'Duration of attempts to deliver webhooks.',
    advice: 'Slow receivers take sending slots. Their owners should answer first and work afterwards.',
  },
  service_deliveries_pending: {
    type: 'gauge',
    help: 'Deliveries that are not finished, counted up to 100,000.',
    advice: 'Growing while nothing is overdue: receivers fail and wait for retries. Growing and overdue: add a node.',
  },
  service_delivery_overdue_seconds: {
    type: 'gauge',
    help: 'Seconds since the most overdue delivery to a working receiver became due.',
    advice: 'Above a minute, the platform sends too slowly or not at all: see “Webhooks arrive late”.',
  },
  service_subscriptions_failing: {
    type: 'gauge',
    help: 'Enabled subscriptions whose last attempt failed, counted up to 100,000.',
    advice: '`webhook list` shows them. If all fail at once, the server cannot reach the internet.',
  },
  service_subscriptions_failing_seconds: {
    type: 'gauge',
    help: 'Seconds since the first failure of the subscription that has failed for the longest time.',
    advice: 'A subscription is disabled after five days of failures. Tell its owner before.',
  },
  service_subscriptions_disabled: {
    type: 'gauge',
    help: 'Disabled subscriptions. Their deliveries are held.',
    advice: '`webhook list` shows the reason. After the repair: enable it, then `webhook recover`.',
  },
  service_leases_lost_total: {
    type: 'counter',
    help: 'Delivery queues that another node took over, because this one did not renew its lease in time.',
    advice: 'The process or its database was suspended for seconds: look at the event-loop delay, then at the machine.',
  },
  service_database_readable: {
    type: 'gauge',
    help: '1 if the database can be read, otherwise 0.',
    advice: '0: every request fails. See “The database is unavailable”.',
  },
  service_database_writable: {
    type: 'gauge',
    help: '1 if the database can be written, otherwise 0.',
    advice: '0 while readable: a full disk, or a PostgreSQL standby. Lists still work.',
  },
  service_database_bytes: {
    type: 'gauge',
    help: 'Size of the database.',
    advice: '`db stats` shows the size of each table. Retention settings bound the logs.',
  },
  service_database_wal_bytes: {
    type: 'gauge',
    help: 'Size of the write-ahead log.',
    advice: 'Usually below 64 MiB. It grows while something reads for a long time, such as a backup or a copy.',
    only: 'SQLite',
  },
  service_database_connections: {
    type: 'gauge',
    help: 'Maximum size of the connection pool.',
    advice: '`SERVICE_DATABASE_POOL`.',
    only: 'PostgreSQL',
  },
  service_database_connections_in_use: {
    type: 'gauge',
    help: 'Connections in use.',
    advice: 'At the maximum for minutes: slow statements, or a pool that is too small.',
    only: 'PostgreSQL',
  },
  service_database_connections_awaited: {
    type: 'gauge',
    help: 'Requests waiting for a connection.',
    advice: 'Above zero for a minute: look for locks and slow statements in PostgreSQL, then raise the pool.',
    only: 'PostgreSQL',
  },
  service_disk_bytes: {
    type: 'gauge',
    help: 'Size of the disk with the data directory; with PostgreSQL, of the disk with the backups.',
    advice: 'Compare with the line below.',
  },
  service_disk_free_bytes: {
    type: 'gauge',
    help: 'Free bytes on that disk.',
    advice: 'See “The disk is full”. The disk of a PostgreSQL server needs its own monitoring.',
  },
  service_backup_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the newest backup; without one, since the platform was created. Only with a backup directory.',
    advice: 'Older than two intervals: the log names the reason. `doctor` checks the directory.',
  },
  service_process_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the process.',
    advice: 'See “Memory grows”.',
  },
  service_process_heap_bytes: {
    type: 'gauge',
    help: 'JavaScript heap in use.',
    advice: 'Grows and falls. Report a heap whose lows grow for days.',
  },
  service_process_cpu_seconds_total: {
    type: 'counter',
    help: 'Processor time of the process.',
    advice: 'A rate near 1 is a full core. Most work happens on one: add nodes, not cores.',
  },
  service_event_loop_delay_seconds: {
    type: 'gauge',
    help: '99th percentile of the delay of the event loop since the last scrape.',
    advice: 'Above 0.2 for minutes, every answer is late. Look for a busy machine, then for large bodies and exports.',
  },
} as const satisfies Record<string, MetricDescription>

export type MetricName = keyof typeof metricTable
