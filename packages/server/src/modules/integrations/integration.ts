import type { ErrorLevel } from '@service/contract'
import type { IntegrationName } from '@service/contract/admin/integration-input'
import { formatInstant } from '../../core/clock.ts'
import { toBoolean } from '../../store/columns.ts'
import type { IntegrationRow } from './queries.ts'

/** An inbound integration as it may be shown: everything but its secret. */
export interface Integration {
  readonly integration: IntegrationName
  readonly enabled: boolean
  readonly has_secret: boolean
  /** Git: whether an opened issue becomes a ticket. */
  readonly open_tickets: boolean
  /** Error reports: from which level on a report opens a ticket; null when the workspace has set none. */
  readonly min_level: ErrorLevel | null
  /** Error reports: whether a note that an error is over resolves its ticket. */
  readonly resolve_tickets: boolean
  /** Null while nobody has set it up. */
  readonly updated_at: string | null
}

/** How error reports become tickets, as it is kept. */
export interface ErrorSettings {
  readonly min_level?: ErrorLevel | null | undefined
  readonly resolve_tickets?: boolean | undefined
}

const errorSettings = ({ min_level = null, resolve_tickets = false }: ErrorSettings) => ({ min_level, resolve_tickets })

export const notSetUp = (integration: IntegrationName): Integration => ({
  integration,
  enabled: false,
  has_secret: false,
  open_tickets: false,
  ...errorSettings({}),
  updated_at: null,
})

export const toIntegration = (row: IntegrationRow): Integration => ({
  integration: row.kind as IntegrationName, // only these are written
  enabled: toBoolean(row.enabled),
  has_secret: row.secret_hash !== null || row.secret_encrypted !== null,
  open_tickets: JSON.parse(row.settings).open_tickets === true,
  ...errorSettings(JSON.parse(row.settings)),
  updated_at: formatInstant(row.updated_at),
})
