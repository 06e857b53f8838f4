import { type LeadSource, leadSources } from '@service/contract'
import type { LeadSourcePatch } from '@service/contract/admin/crm-input'
import type { Mapping } from '@service/contract/admin/mapping'
import { signsItsDeliveries } from '@service/intake/leads/platform-signature'
import type { App, TxApp } from '../../context.ts'
import { notFound } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/ids.ts'
import { leadSourcePlace } from '../../encryption/cipher.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { requireMapping } from '../integrations/mapping-service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

/** A lead source: whether leads are taken from it, and whether its webhook has a secret. */
export interface LeadSourceState {
  readonly source: LeadSource
  readonly enabled: boolean
  readonly has_secret: boolean
  /** How its bodies are read, where that differs from the built-in reader. */
  readonly mapping: Mapping | null
}

/** Switches a lead source of a workspace on or off. */
export function switchLeadSource(
  app: App,
  { workspaceId, source }: LeadSourceAt,
  enabled: boolean,
): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspaceId)
    const now = app.clock.now()
    const row = { workspace_id: workspaceId, source, active: toInteger(enabled), created_at: now, updated_at: now }
    return toState(app, await queries.upsertLeadSource(app.db, row))
  })
}

/** Lead sources that somebody has set up. */
export async function listLeadSources(app: App, workspaceId: number): Promise<LeadSourceState[]> {
  return (await queries.listLeadSources(app.db, workspaceId)).map((row) => toState(app, row))
}

/** All that there are: those of the platform's document, and others that somebody has set up. */
export async function listAllLeadSources(app: App, workspaceId: number): Promise<LeadSourceState[]> {
  const known = await listLeadSources(app, workspaceId)
  const untouched = leadSources.filter((source) => !known.some((each) => each.source === source))
  return [...known, ...untouched.map(notSetUp)]
}

export async function getLeadSource(app: App, { workspaceId, source }: LeadSourceAt): Promise<LeadSourceState> {
  const row = await queries.findLeadSource(app.db, workspaceId, source)
  return row === undefined ? notSetUp(source) : toState(app, row)
}

const notSetUp = (source: LeadSource): LeadSourceState => ({
  source,
  enabled: false,
  has_secret: false,
  mapping: null,
})

/** A field that is left out stays as it is. */
export function updateLeadSource(
  app: App,
  at: LeadSourceAt,
  { enabled, secret, mapping }: LeadSourcePatch,
): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    requireMapping(mapping, 'leads')
    if (secret !== undefined || mapping !== undefined) await setUp(app, at, { enabled: secret !== undefined })
    if (enabled !== undefined) await switchLeadSource(app, at, enabled)
    if (secret !== undefined) await setLeadSourceSecret(app, at, secret)
    if (mapping !== undefined)
      await queries.updateLeadSource(app.db, {
        workspaceId: at.workspaceId,
        source: at.source,
        mapping: mapping === null ? null : JSON.stringify(mapping),
      })
    return getLeadSource(app, at)
  })
}

/** Issues the secret of a source; one that nobody has set up yet is enabled by it. */
export function rotateLeadSourceSecret(app: App, at: LeadSourceAt) {
  return inTransaction(app, async (app) => {
    await setUp(app, at)
    return regenerateLeadSourceSecret(app, at)
  })
}

async function setUp(app: TxApp, at: LeadSourceAt, { enabled = true } = {}): Promise<void> {
  const known = await queries.findLeadSource(app.db, at.workspaceId, at.source)
  if (known === undefined) await switchLeadSource(app, at, enabled)
}

/** Issues the secret of a source's webhook, shown in this answer only; an older one stops at once. A seed may pin it. */
export async function regenerateLeadSourceSecret(
  app: App,
  at: LeadSourceAt,
  secret = newSecret(app.ids),
): Promise<LeadSourceState & { readonly secret: string }> {
  return { ...(await setLeadSourceSecret(app, at, secret)), secret }
}

/** Takes the secret that a platform has given, e.g. LinkedIn's client secret; an older one stops at once. */
function setLeadSourceSecret(app: App, at: LeadSourceAt, secret: string): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    const secret_encrypted = signsItsDeliveries(at.source) ? app.cipher.encrypt(secret, placeOf(at)) : null
    const row = await queries.updateLeadSource(app.db, {
      workspaceId: at.workspaceId,
      source: at.source,
      secret_hash: hashSecret(secret),
      secret_encrypted,
    })
    if (row === undefined) throw notFound('lead source', at.source)
    return toState(app, row)
  })
}

/** A lead source as its webhook needs it. */
export interface ReceivingLeadSource {
  readonly source: string
  readonly active: boolean
  readonly secretHash: string | undefined
  /** Readable only for platforms that sign their deliveries. */
  readonly secret: string | undefined
  readonly mapping: Mapping | null
}

export async function findLeadSource(
  app: App,
  workspaceId: number,
  source: string,
): Promise<ReceivingLeadSource | undefined> {
  const row = await queries.findLeadSource(app.db, workspaceId, source)
  if (row === undefined) return undefined
  const found = { source, active: toBoolean(row.active), mapping: mappingOf(row) }
  if (isLost(app, row)) return { ...found, secretHash: undefined, secret: undefined }
  const secret =
    row.secret_encrypted === null
      ? undefined
      : app.cipher.decrypt(row.secret_encrypted, placeOf({ workspaceId, source }))
  return { ...found, secretHash: row.secret_hash ?? undefined, secret }
}

/** A source whose secret's encryption key was lost answers as one whose secret was never issued; a sentence about each. */
export async function listUnreadableLeadSources(app: App): Promise<string[]> {
  const rows = await queries.listEncryptedSources(app.db)
  return rows
    .filter((row) => isLost(app, row))
    .map(
      ({ workspace_id, source }) =>
        `The lead source ${source} of workspace ${workspace_id} needs a new secret: its encryption key was lost.`,
    )
}

type Encrypted = Pick<LeadSourceRow, 'secret_encrypted'>

const isLost = ({ cipher }: App, { secret_encrypted }: Encrypted) =>
  secret_encrypted !== null && !cipher.isReadable(secret_encrypted)

type LeadSourceRow = Pick<
  Awaited<ReturnType<typeof queries.listLeadSources>>[number],
  'source' | 'active' | 'secret_hash' | 'secret_encrypted' | 'mapping'
>

interface LeadSourceAt {
  readonly workspaceId: number
  readonly source: string
}

const placeOf = ({ workspaceId, source }: LeadSourceAt) => leadSourcePlace(workspaceId, source)

function toState(app: App, row: LeadSourceRow): LeadSourceState {
  const has_secret = row.secret_hash !== null && !isLost(app, row)
  return { source: row.source, enabled: toBoolean(row.active), has_secret, mapping: mappingOf(row) }
}

const mappingOf = ({ mapping }: Pick<LeadSourceRow, 'mapping'>): Mapping | null =>
  mapping === null ? null : JSON.parse(mapping)
