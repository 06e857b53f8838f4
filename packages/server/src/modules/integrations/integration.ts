import type { ErrorLevel } from '@service/contract'
import type { TimestampFormat } from '@service/contract/admin/hrms-input'
import type { Mapping } from '@service/contract/admin/mapping'
import type { IntegrationName } from '@service/contract/integration-names'
import { formatInstant } from '../../core/clock.ts'
import { toBoolean } from '../../store/columns.ts'
import type { IntegrationRow } from './queries.ts'

/** An inbound integration without its secret. */
export interface Integration {
  readonly integration: IntegrationName
  readonly enabled: boolean
  readonly has_secret: boolean
  /** Git: whether an opened issue becomes a ticket. */
  readonly open_tickets: boolean
  /** Error reports: minimum level at which a report opens a ticket; null if not set. */
  readonly min_level: ErrorLevel | null
  /** Error reports: whether a recovery notice resolves its ticket. */
  readonly resolve_tickets: boolean
  /** Error reports: maximum number of tickets that one delivery may open. */
  readonly max_new_tickets: number
  /** Error reports and attendance: field mapping. */
  readonly mapping: Mapping | null
  /** Attendance: how times without a UTC offset are read. */
  readonly time_zone: string | null
  readonly timestamp_format: TimestampFormat | null
  /** Null until it is set up. */
  readonly updated_at: string | null
}

/** Stored settings of error reports and attendance. */
export interface ReceivingSettings {
  readonly min_level?: ErrorLevel | null | undefined
  readonly resolve_tickets?: boolean | undefined
  readonly max_new_tickets?: number | undefined
  readonly mapping?: Mapping | null | undefined
  readonly time_zone?: string | null | undefined
  readonly timestamp_format?: TimestampFormat | null | undefined
}

/** Default number of tickets that one error report delivery may open. */
const defaultNewTickets = 20

export const withDefaults = (settings: ReceivingSettings) => ({
  min_level: settings.min_level ?? null,
  resolve_tickets: settings.resolve_tickets ?? false,
  max_new_tickets: settings.max_new_tickets ?? defaultNewTickets,
  mapping: settings.mapping ?? null,
  time_zone: settings.time_zone ?? null,
  timestamp_format: settings.timestamp_format ?? null,
})

export const newIntegration = (integration: IntegrationName): Integration => ({
  integration,
  enabled: false,
  has_secret: false,
  open_tickets: false,
  ...withDefaults({}),
  updated_at: null,
})

export const toIntegration = (row: IntegrationRow): Integration => ({
  integration: row.kind as IntegrationName, // the only values written
  enabled: toBoolean(row.enabled),
  has_secret: row.secret_hash !== null || row.secret_encrypted !== null,
  open_tickets: JSON.parse(row.settings).open_tickets === true,
  ...withDefaults(JSON.parse(row.settings)),
  updated_at: formatInstant(row.updated_at),
})
