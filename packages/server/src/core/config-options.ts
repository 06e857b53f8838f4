// Spelled out for those who write them; `public-types.test.ts` compares them with the schemas in `config.ts`.

/** A list; text has commas between its items. */
type ListOption = readonly string[] | string

/** The settings of a server. Everything may be left out. */
export interface ConfigOptions extends Optional<SettingValues> {}

type Optional<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined }

interface SettingValues {
  /** Directory of the SQLite database; in memory when left out. */
  data: string
  /** A `postgres://` URL, in place of SQLite. */
  databaseUrl: string
  /** How many connections to PostgreSQL; 10. */
  databasePool: number
  /** How long connecting to PostgreSQL may take; 5,000 ms. */
  databaseConnectTimeoutMs: number
  /** How long a request waits for a free connection to PostgreSQL; 2,000 ms. */
  databaseWaitTimeoutMs: number
  /** How long a statement waits for a lock in PostgreSQL; 5,000 ms. */
  databaseLockTimeoutMs: number
  /** How long a statement may take in PostgreSQL; 15,000 ms. */
  databaseStatementTimeoutMs: number
  /** Whether PostgreSQL's statements are named; false behind a pooler in transaction mode. True when left out. */
  namedStatements: boolean
  /** SQLite: `full` (the default) survives a power cut, `normal` a crash of the process. */
  synchronous: 'full' | 'normal'
  /** Requests per minute and token (or address), or `off`; 120. */
  rateLimit: number | 'off'
  /** Bytes that request bodies over ports may take at the same time; a quarter of the memory, at most 64 MiB. */
  maxBodyBytesInFlight: number
  /** How long a stopping server serves on while `/readyz` says 503; 0 ms. */
  drainDelayMs: number
  /** How long idle connections stay open while the server stops; 6,500 ms in `service-server start`, else 0. */
  drainIdleMs: number
  /** `strict` refuses statuses, priorities … outside the known lists; `lenient` when left out. */
  validation: 'lenient' | 'strict'
  /** What creations answer; 201. */
  createdStatus: 200 | 201
  /** What the attendance webhook answers for an unknown device; 422. */
  deviceNotFoundStatus: 200 | 422
  /** What a token of another workspace gets where there is no such workspace; 403. */
  unknownWorkspaceStatus: 403 | 404
  /** Origins that browsers may call from; none. */
  corsOrigins: ListOption
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed; none. */
  trustedProxies: ListOption
  /**
   * Names, beside `localhost` and that of `publicUrl`, under which the demo and the test controls answer over a port; none.
   */
  allowedHosts: ListOption
  /**
   * Encrypts the secrets that must be read again: at least 32 characters. In the data directory a key is made and kept when
   * left out; with PostgreSQL it is needed.
   */
  encryptionKey: string
  /** A file with the encryption key, made when it is not there. */
  encryptionKeyFile: string
  /** For one start after the encryption key was lost: what it encrypted is disabled until it gets new secrets. */
  acceptLostKey: boolean
  /** Names, addresses or CIDR ranges off the public internet that webhooks may be sent to; none. */
  egressAllow: ListOption
  /** How long a receiver of webhooks has for its whole answer; 15,000 ms. */
  deliveryTimeoutMs: number
  /** Days that events and their deliveries are kept; 30. */
  deliveryRetentionDays: number
  /** Days that the log of inbound deliveries is kept, with Git's delivery ids; 90. */
  inboundRetentionDays: number
  /** Hours that bodies of error reports, leads and punches are kept, with secrets masked; 24. 0 keeps none. */
  inboundBodyHours: number
  /** Days that the log of what rules have done is kept; 90. */
  automationRetentionDays: number
  /** Days that the newest ten reports of each error are kept; for ever when left out. */
  errorSampleRetentionDays: number
  /** Days that Git activities are kept; for ever when left out. */
  activityRetentionDays: number
  /** Days that the enquiries of leads are kept; for ever when left out. */
  enquiryRetentionDays: number
  /** Days that punches of unknown employees or devices are kept; for ever when left out. */
  unmatchedPunchRetentionDays: number
  /** Days that the audit log is kept; for ever when left out. */
  auditRetentionDays: number
  /** The http(s) URL under which people reach the server. */
  publicUrl: string
  /** The bearer token of `/admin/v1`: at least 20 characters. When left out, only people who have signed in administer over HTTP. */
  adminToken: string
  /** A file with that token, read again when it changes. */
  adminTokenFile: string
  /** Keys that stored secrets can still be read with while the key is rotated. */
  previousEncryptionKeys: string[] | string
  /** The directory for backups; `backups` in the data directory when left out. */
  backupDirectory: string
  /** How often a backup is made by itself, such as `6h` or `1d`; never when left out. */
  backupEvery: string
  /** How many backups made by themselves are kept; 7. */
  backupKeep: number
  /** The e-mail address of a person who administers the instance, created at the start with `adminPassword`. */
  adminEmail: string
  /** Their password: 8 to 1024 characters. One who has a password keeps it. */
  adminPassword: string
}
