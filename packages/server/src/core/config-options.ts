// Written out for readable hovers; `public-types.test.ts` compares the types with the schemas in `config.ts`.

/** A list. In text, items are separated by commas. */
type ListOption = readonly string[] | string

/** The settings of a server. All are optional. */
export interface ConfigOptions extends Optional<SettingValues> {}

type Optional<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined }

interface SettingValues {
  /** Directory of the SQLite database (default: in memory). */
  data: string
  /** A `postgres://` URL to use PostgreSQL instead of SQLite. */
  databaseUrl: string
  /**
   * The URL of the same database without its pooler (default: `databaseUrl`). Notifications, health checks, migrations,
   * and backups use it.
   */
  databaseDirectUrl: string
  /** Number of PostgreSQL connections (default: 10). */
  databasePool: number
  /** How long opening a PostgreSQL connection may take, in milliseconds (default: 5,000). */
  databaseConnectTimeoutMs: number
  /** How long a start waits until PostgreSQL can be used, in ms (default: 30,000 in `service-server start`, else 0). */
  databaseStartTimeoutMs: number
  /** How long a request waits for a free PostgreSQL connection, in milliseconds (default: 2,000). */
  databaseWaitTimeoutMs: number
  /** How long a PostgreSQL statement waits for a lock, in milliseconds (default: 5,000). */
  databaseLockTimeoutMs: number
  /** How long a PostgreSQL statement may take, in milliseconds (default: 15,000). */
  databaseStatementTimeoutMs: number
  /** Whether to use named PostgreSQL statements (default: true). Set to false behind a pooler in transaction mode. */
  namedStatements: boolean
  /** SQLite durability: `full` (default) survives a power failure, `normal` only a crash of the process. */
  synchronous: 'full' | 'normal'
  /** Requests per minute for each token or address, or `off` (default: 120). */
  rateLimit: number | 'off'
  /** Bytes of request bodies to hold at the same time (default: a quarter of the memory, at most 64 MiB). */
  maxBodyBytesInFlight: number
  /** A port on which a separate thread answers `/livez`, `/readyz`, and `/metrics` (default: none). */
  healthPort: number
  /**
   * How long to keep serving during shutdown while `/readyz` answers 503, in milliseconds (default: 0; in
   * `service-server start`, 1,000 after SIGTERM or SIGHUP).
   */
  drainDelayMs: number
  /** How long idle connections stay open during shutdown, in ms (default: 6,500 in `service-server start`, else 0). */
  drainIdleMs: number
  /** `strict` rejects unknown statuses, priorities, and so on (default: `lenient`). */
  validation: 'lenient' | 'strict'
  /** The status of successful creates (default: 201). */
  createdStatus: 200 | 201
  /** The attendance webhook's status for an unknown device (default: 422). */
  deviceNotFoundStatus: 200 | 422
  /** The status for a workspace that does not exist (default: 403). */
  unknownWorkspaceStatus: 403 | 404
  /** Origins that browsers may call from (default: none). */
  corsOrigins: ListOption
  /** Addresses or CIDR ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted (default: none). */
  trustedProxies: ListOption
  /** Host names for the demo and the test controls, besides `localhost` and the host of `publicUrl` (default: none). */
  allowedHosts: ListOption
  /**
   * Encrypts secrets that must be decrypted later: at least 32 characters. By default a key is generated and stored in
   * the data directory. PostgreSQL requires it.
   */
  encryptionKey: string
  /** A file with the encryption key, created if missing. A file that the environment names must exist. */
  encryptionKeyFile: string
  /** For one start after the encryption key was lost: disables what it encrypted until it gets new secrets. */
  acceptLostKey: boolean
  /** Private host names, addresses, or CIDR ranges that webhooks may be sent to (default: none). */
  egressAllow: ListOption
  /** How long a webhook receiver has for its complete response, in milliseconds (default: 15,000). */
  deliveryTimeoutMs: number
  /** Days to keep events and their deliveries (default: 30). */
  deliveryRetentionDays: number
  /** Days to keep the log of inbound deliveries, with Git's delivery ids (default: 90). */
  inboundRetentionDays: number
  /** Hours to keep bodies of error reports, leads, and punches, with secrets masked (default: 24). 0 keeps none. */
  inboundBodyHours: number
  /** Days to keep the automation log (default: 90). */
  automationRetentionDays: number
  /** Days to keep the newest ten reports of each error (default: indefinitely). */
  errorSampleRetentionDays: number
  /** Days to keep Git activities (default: indefinitely). */
  activityRetentionDays: number
  /** Days to keep the inquiries of leads (default: indefinitely). */
  enquiryRetentionDays: number
  /** Days to keep punches of unknown employees or devices (default: indefinitely). */
  unmatchedPunchRetentionDays: number
  /** Days to keep the audit log (default: indefinitely). */
  auditRetentionDays: number
  /** The public http(s) URL of the server. */
  publicUrl: string
  /** The bearer token of `/admin/v1`: at least 20 visible ASCII characters. Without it, only signed-in users can use the admin API. */
  adminToken: string
  /** A file with the admin token, reloaded when it changes. */
  adminTokenFile: string
  /** A bearer token that may read `/metrics` and nothing else, for the monitoring system. */
  metricsToken: string
  /** Of how many successful requests the log has one line (default: 1). Failed and slow requests always have one. */
  logSample: number
  /** A file with the metrics token, reloaded when it changes. */
  metricsTokenFile: string
  /** Old keys that can still decrypt stored secrets, such as during a key rotation. */
  previousEncryptionKeys: string[] | string
  /** The directory for backups (default: `backups` in the data directory). */
  backupDirectory: string
  /** The interval of automatic backups, such as `6h` or `1d` (default: never). */
  backupEvery: string
  /** How many automatic backups to keep (default: 7). */
  backupKeep: number
  /** The e-mail address of an instance administrator, created at startup with `adminPassword`. */
  adminEmail: string
  /** The administrator's password, 8 to 1024 characters. An existing password is kept. */
  adminPassword: string
}
