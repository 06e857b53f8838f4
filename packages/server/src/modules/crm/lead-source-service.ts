import { leadSources } from '@service/contract'
import type { ChangedLeadSource, LeadSourceState, LeadSourceWithSecret } from '@service/contract/admin/crm'
import type { LeadSourcePatch } from '@service/contract/admin/crm-input'
import type { Mapping } from '@service/contract/admin/mapping'
import { signsItsDeliveries } from '@service/intake/leads/platform-signature'
import type { App, TxApp } from '../../context.ts'
import { notFound, unknownName } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/ids.ts'
import { leadSourceContext } from '../../encryption/cipher.ts'
import { encrypt } from '../../encryption/encryption-key.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { requireMapping } from '../integrations/mapping-service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

interface LeadSourceRef {
  readonly workspaceId: number
  readonly source: string
}

/** Enables or disables a lead source of a workspace. */
export function setLeadSourceEnabled(
  app: App,
  { workspaceId, source }: LeadSourceRef,
  enabled: boolean,
): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspaceId)
    const isNew = (await queries.findLeadSource(app.db, workspaceId, source)) === undefined
    if (isNew) requireDocumented(source)
    const now = app.clock.now()
    const row = { workspace_id: workspaceId, source, active: toInteger(enabled), created_at: now, updated_at: now }
    return toState(app, await queries.upsertLeadSource(app.db, row))
  })
}

/** Lead sources that have been set up. */
export async function listLeadSources(app: App, workspaceId: number): Promise<LeadSourceState[]> {
  return (await queries.listLeadSources(app.db, workspaceId)).map((row) => toState(app, row))
}

/** All documented lead sources, those that have been set up first. */
export async function listAllLeadSources(app: App, workspaceId: number): Promise<LeadSourceState[]> {
  const stored = await listLeadSources(app, workspaceId)
  const missing = leadSources.filter((source) => !stored.some((each) => each.source === source))
  return [...stored, ...missing.map(notSetUp)]
}

export async function getLeadSource(app: App, { workspaceId, source }: LeadSourceRef): Promise<LeadSourceState> {
  const row = await queries.findLeadSource(app.db, workspaceId, source)
  if (row !== undefined) return toState(app, row)
  requireDocumented(source)
  return notSetUp(source)
}

/** A misspelled source would never receive anything. */
export function requireDocumented(source: string): void {
  if (!(leadSources as readonly string[]).includes(source)) throw unknownName('lead source', source, leadSources)
}

const notSetUp = (source: string): LeadSourceState => ({
  source,
  enabled: false,
  has_secret: false,
  mapping: null,
})

/** Omitted fields keep their values. The response contains a secret if this call issued the first one. */
export function updateLeadSource(
  app: App,
  ref: LeadSourceRef,
  { enabled, secret, mapping }: LeadSourcePatch,
): Promise<ChangedLeadSource> {
  return inTransaction(app, async (app) => {
    await requireMapping(mapping, 'leads')
    if (secret !== undefined || mapping !== undefined)
      await ensureLeadSource(app, ref, { enabled: secret !== undefined })
    if (enabled !== undefined) await setLeadSourceEnabled(app, ref, enabled)
    if (secret !== undefined) await setLeadSourceSecret(app, ref, secret)
    if (mapping !== undefined)
      await queries.updateLeadSource(app.db, ref, { mapping: mapping === null ? null : JSON.stringify(mapping) })
    const state = await getLeadSource(app, ref)
    const needsSecret = enabled === true && !state.has_secret && !signsItsDeliveries(ref.source)
    return needsSecret ? regenerateLeadSourceSecret(app, ref) : state
  })
}

/** Issues a new secret. Also enables a source that was not set up yet. */
export function rotateLeadSourceSecret(app: App, ref: LeadSourceRef) {
  return inTransaction(app, async (app) => {
    await ensureLeadSource(app, ref)
    return regenerateLeadSourceSecret(app, ref)
  })
}

/** The first secret enables a source, because it sets it up. */
async function ensureLeadSource(app: TxApp, ref: LeadSourceRef, { enabled = true } = {}): Promise<void> {
  const row = await queries.findLeadSource(app.db, ref.workspaceId, ref.source)
  const isSetUp = row !== undefined && row.secret_hash !== null
  if (row === undefined || (enabled && !isSetUp)) await setLeadSourceEnabled(app, ref, enabled)
}

/** Issues the webhook secret, shown only in this response. The old one stops working. A seed may fix the value. */
export async function regenerateLeadSourceSecret(
  app: App,
  ref: LeadSourceRef,
  secret = newSecret(app.ids),
): Promise<LeadSourceWithSecret> {
  return { ...(await setLeadSourceSecret(app, ref, secret)), secret }
}

/** Stores a secret that the sending platform issued, such as LinkedIn's client secret. The old one stops working. */
function setLeadSourceSecret(app: App, ref: LeadSourceRef, secret: string): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    const secret_encrypted = signsItsDeliveries(ref.source)
      ? await encrypt(app, secret, leadSourceContext(ref.workspaceId, ref.source))
      : null
    const row = await queries.updateLeadSource(app.db, ref, { secret_hash: hashSecret(secret), secret_encrypted })
    if (row === undefined) throw notFound('lead source', ref.source)
    return toState(app, row)
  })
}

/** A lead source as its webhook reads it. */
export interface ReceivingLeadSource {
  readonly source: string
  readonly active: boolean
  readonly secretHash: string | undefined
  /** Set only for platforms that sign their deliveries. */
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
      : app.cipher.decrypt(row.secret_encrypted, leadSourceContext(workspaceId, source))
  return { ...found, secretHash: row.secret_hash ?? undefined, secret }
}

/** One sentence per source whose secret cannot be decrypted. Such a source behaves as if it had no secret. */
export async function listUnreadableLeadSources(app: App): Promise<string[]> {
  const rows = await queries.listEncryptedSources(app.db)
  return rows
    .filter((row) => isLost(app, row))
    .map(
      ({ workspace_id, source }) =>
        `The lead source ${source} of workspace ${workspace_id} needs a new secret: its encryption key was lost.`,
    )
}

type LeadSourceRow = Awaited<ReturnType<typeof queries.listLeadSources>>[number]

/** Whether the key that encrypted the secret was lost. */
const isLost = ({ cipher }: App, { secret_encrypted }: LeadSourceRow) =>
  secret_encrypted !== null && !cipher.isReadable(secret_encrypted)

function toState(app: App, row: LeadSourceRow): LeadSourceState {
  const has_secret = row.secret_hash !== null && !isLost(app, row)
  return { source: row.source, enabled: toBoolean(row.active), has_secret, mapping: mappingOf(row) }
}

const mappingOf = ({ mapping }: LeadSourceRow): Mapping | null => (mapping === null ? null : JSON.parse(mapping))
