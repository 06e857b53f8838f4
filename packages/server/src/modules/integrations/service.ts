import type { ErrorLevel } from '@service/contract'
import type { IntegrationPatch } from '@service/contract/admin/integration-input'
import type { Mapping } from '@service/contract/admin/mapping'
import {
  type IntegrationName,
  integrationNames,
  type SecretIntegration,
  secretIntegrations,
} from '@service/contract/integration-names'
import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { hashSecret, newSecret } from '../../core/ids.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { setGitIntegration } from './git-service.ts'
import { type Integration, newIntegration, type ReceivingSettings, toIntegration, withDefaults } from './integration.ts'
import { requireMapping } from './mapping-service.ts'
import * as queries from './queries.ts'

interface IntegrationRef {
  readonly workspaceId: number
  readonly integration: IntegrationName
}

interface SecretIntegrationRef extends IntegrationRef {
  readonly integration: SecretIntegration
}

const hasOwnSecret = (ref: IntegrationRef): ref is SecretIntegrationRef =>
  secretIntegrations.some((name) => name === ref.integration)

/** A new secret, shown only in this response. */
export interface IssuedSecret {
  readonly secret: string
}

/** All integrations, including those that are not set up. */
export async function listIntegrations(app: App, workspaceId: number): Promise<Integration[]> {
  const rows = await queries.listIntegrations(app.db, workspaceId)
  const known = new Map(rows.map((row) => [row.kind, toIntegration(row)]))
  return integrationNames.map((name) => known.get(name) ?? newIntegration(name))
}

export async function getIntegration(app: App, { workspaceId, integration }: IntegrationRef): Promise<Integration> {
  const row = await queries.findIntegration(app.db, workspaceId, integration)
  return row === undefined ? newIntegration(integration) : toIntegration(row)
}

/** Omitted fields keep their values. The response contains a secret if this call issued the first one. */
export function updateIntegration(
  app: App,
  ref: IntegrationRef,
  patch: IntegrationPatch,
): Promise<Integration & Partial<IssuedSecret>> {
  return inTransaction(app, async (app) => {
    if (hasOwnSecret(ref)) {
      refuseGitFields(patch)
      if (ref.integration !== 'errors') refuseErrorFields(patch)
      if (ref.integration !== 'attendance') refuseClockFields(patch)
      await changeSettings(app, ref, patch)
      return patch.enabled === undefined ? getIntegration(app, ref) : enableIntegration(app, ref, patch.enabled)
    }
    refuseErrorFields(patch)
    refuseClockFields(patch)
    if (patch.mapping !== undefined)
      throw validation({ mapping: ['The mapping field is for error reports and attendance only.'] })
    const { enabled = await isEnabledWith(app, ref, patch), ...settings } = patch
    return setGitIntegration(app, { ...toProviderRef(ref), enabled, ...settings })
  })
}

const toProviderRef = ({ workspaceId, integration }: IntegrationRef) => ({
  workspaceId,
  provider: integration as Exclude<IntegrationName, SecretIntegration>, // the other kinds are handled above
})

function refuseGitFields({ open_tickets, secret }: IntegrationPatch): void {
  if (secret !== undefined)
    throw validation({ secret: ['The server issues this secret. Use rotate-secret to replace it.'] })
  if (open_tickets === undefined) return
  throw validation({ open_tickets: ['The open_tickets field is for Git providers only.'] })
}

const errorFields = ['min_level', 'resolve_tickets', 'max_new_tickets'] as const

const clockFields = ['time_zone', 'timestamp_format'] as const

const refuseErrorFields = (patch: IntegrationPatch) => refuseFields(patch, errorFields, 'error reports')
const refuseClockFields = (patch: IntegrationPatch) => refuseFields(patch, clockFields, 'attendance')

function refuseFields(patch: IntegrationPatch, fields: readonly (keyof IntegrationPatch)[], owner: string): void {
  const given = fields.filter((field) => patch[field] !== undefined)
  if (given.length === 0) return
  throw validation(Object.fromEntries(given.map((field) => [field, [`The ${field} field is for ${owner} only.`]])))
}

async function changeSettings(app: TxApp, ref: SecretIntegrationRef, patch: IntegrationPatch): Promise<void> {
  const changed = ([...errorFields, ...clockFields, 'mapping'] as const).filter((field) => patch[field] !== undefined)
  if (changed.length === 0) return
  await requireMapping(patch.mapping, ref.integration)
  const known = await queries.findIntegration(app.db, ref.workspaceId, ref.integration)
  const settings: ReceivingSettings = {
    ...JSON.parse(known?.settings ?? '{}'),
    ...Object.fromEntries(changed.map((field) => [field, patch[field]])),
  }
  await write(app, ref, { settings: JSON.stringify(settings) })
}

/** The receiving settings of error reports or attendance, if enabled. */
export interface ReceivingIntegration {
  readonly secretHash: string
  readonly minLevel: ErrorLevel | null
  readonly resolvesTickets: boolean
  readonly maxNewTickets: number
  readonly mapping: Mapping | null
  /** Attendance: how times without a UTC offset are read. */
  readonly clock: Pick<Integration, 'time_zone' | 'timestamp_format'>
}

export async function findReceivingIntegration(
  app: App,
  workspaceId: number,
  kind: SecretIntegration,
): Promise<ReceivingIntegration | undefined> {
  const row = await findReceiving(app, workspaceId, kind)
  if (row === undefined || !toBoolean(row.enabled) || row.secret_hash === null) return undefined
  const { min_level, resolve_tickets, max_new_tickets, mapping, ...clock } = withDefaults(JSON.parse(row.settings))
  return {
    secretHash: row.secret_hash,
    minLevel: min_level,
    resolvesTickets: resolve_tickets,
    maxNewTickets: max_new_tickets,
    mapping,
    clock,
  }
}

/** Reads an integration for a delivery. */
function findReceiving(app: App, workspaceId: number, kind: string): Promise<queries.IntegrationRow | undefined> {
  const find = () => queries.findIntegration(app.db, workspaceId, kind)
  return app.credentialCache === undefined ? find() : app.credentialCache.find(`${workspaceId} ${kind}`, find)
}

/** Issues a new secret and revokes the old one. Also enables an integration without a secret, which is not set up yet. */
export function rotateSecret(app: App, ref: IntegrationRef): Promise<Integration & IssuedSecret> {
  return inTransaction(app, async (app) => {
    const secret = newSecret(app.ids)
    const enabled = await isEnabledWith(app, ref, { secret })
    if (hasOwnSecret(ref)) return issueSecret(app, ref, { enabled, secret })
    return { ...(await setGitIntegration(app, { ...toProviderRef(ref), enabled, secret })), secret }
  })
}

/** The first secret sets an integration up. */
async function isEnabledWith(app: TxApp, ref: IntegrationRef, { secret }: IntegrationPatch): Promise<boolean> {
  const { enabled, has_secret } = await getIntegration(app, ref)
  return enabled || (!has_secret && secret !== undefined)
}

async function enableIntegration(app: TxApp, ref: SecretIntegrationRef, enabled: boolean) {
  await getWorkspace(app, ref.workspaceId)
  const row = await write(app, ref, { enabled: toInteger(enabled) })
  return enabled && row.secret_hash === null ? issueSecret(app, ref) : toIntegration(row)
}

/** Issues the secret that senders must present. A seed may fix the value. */
export function issueSecret(
  app: App,
  ref: SecretIntegrationRef,
  { enabled = true, secret = newSecret(app.ids) }: { enabled?: boolean; secret?: string | undefined } = {},
): Promise<Integration & IssuedSecret> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, ref.workspaceId)
    const row = await write(app, ref, { enabled: toInteger(enabled), secret_hash: hashSecret(secret) })
    return { ...toIntegration(row), secret }
  })
}

const write = (
  { db, clock }: App,
  { workspaceId, integration }: SecretIntegrationRef,
  changed: Partial<queries.IntegrationRow>,
) =>
  queries.upsertIntegration(
    db,
    { workspace_id: workspaceId, kind: integration },
    { ...changed, updated_at: clock.now() },
  )
