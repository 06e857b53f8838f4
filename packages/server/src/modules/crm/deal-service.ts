import { type Deal, integerId, type Named } from '@service/contract'
import type { DealDetail } from '@service/contract/admin/crm'
import { AccountInput, DealInput, type DealPatch, type DealQuery } from '@service/contract/admin/crm-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { diff } from '../../core/diff.ts'
import { notFound } from '../../core/errors.ts'
import { defaultPage, type FoundRows, type SearchedPage, toSortablePage } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findMember } from '../members/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { toMinorUnitsOrNull, toMoneyOrNull } from './money.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewAccount = z.extend(AccountInput, { workspace_id: integerId })
export type NewAccount = z.input<typeof NewAccount>

export const NewDeal = z.extend(DealInput, { workspace_id: integerId })
export type NewDeal = z.input<typeof NewDeal>

/** Deals of a workspace, newest first or sorted. Without a page, the newest 50. */
export async function listDeals(app: App, workspaceId: number, query: DealQuery = defaultPage) {
  return toSortablePage(await queries.listDeals(app.store, workspaceId, query), query, toDeal)
}

export function createAccount(app: App, { workspace_id, name }: NewAccount): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    return queries.insertAccount(app.db, { workspace_id, name, created_at: app.clock.now() })
  })
}

export async function getAccount(app: App, { workspaceId, id }: RowRef): Promise<Named> {
  const account = await queries.findAccount(app.db, workspaceId, id)
  if (account === undefined) throw notFound('account', id)
  return account
}

export function updateAccount(app: App, account: RowRef, { name }: { name?: string | undefined }): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getAccount(app, account)
    if (name !== undefined) await queries.updateAccount(app.db, account, name)
    return getAccount(app, account)
  })
}

/** Deletes an account that has no deals. */
export function deleteAccount(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteAccount(app.db, workspaceId, id))) throw notFound('account', id)
    return { id }
  })
}

export function deleteDeal(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteDeal(app.db, workspaceId, id))) throw notFound('deal', id)
    return { id }
  })
}

/** Accounts, newest first. */
export function listAccounts(app: App, workspaceId: number, page: SearchedPage): Promise<FoundRows<Named>> {
  return queries.listAccounts(app.store, workspaceId, page)
}

/** Creates a deal, of a lead that was converted to it if there is one. */
export function createDeal(app: App, { workspace_id, ...deal }: NewDeal, leadId: number | null = null): Promise<Deal> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    await requireDealReferences(app, workspace_id, deal)
    const now = app.clock.now()
    const id = await queries.insertDeal(app.db, {
      workspace_id,
      title: deal.title,
      stage: deal.stage ?? 'prospecting',
      amount: toMinorUnitsOrNull(deal.amount),
      account_id: deal.account_id ?? null,
      owner_id: deal.owner_id ?? null,
      expected_close_at: deal.expected_close_at ?? null,
      lead_id: leadId,
      created_at: now,
      updated_at: now,
    })
    return getDeal(app, { workspaceId: workspace_id, id })
  })
}

/** A null stage keeps the current one. */
export function updateDeal(app: App, deal: RowRef, { amount, stage, ...patch }: DealPatch): Promise<Deal> {
  return inTransaction(app, async (app) => {
    const { account_id, owner_id } = await getDeal(app, deal)
    // An unchanged owner may have left the workspace.
    const references = { account_id: patch.account_id, owner_id: patch.owner_id }
    await requireDealReferences(app, deal.workspaceId, diff({ account_id, owner_id }, references)?.patch ?? {})
    await queries.updateDeal(app.db, deal, {
      ...patch,
      stage: stage ?? undefined,
      amount: amount === undefined ? undefined : toMinorUnitsOrNull(amount),
      updated_at: app.clock.now(),
    })
    return getDeal(app, deal)
  })
}

function requireDealReferences(app: App, workspaceId: number, deal: Pick<DealPatch, 'account_id' | 'owner_id'>) {
  return requireReferences({
    account_id: { id: deal.account_id, find: (id) => queries.findAccount(app.db, workspaceId, id) },
    owner_id: { id: deal.owner_id, find: (id) => findMember(app, workspaceId, id) },
  })
}

async function getDeal(app: App, { workspaceId, id }: RowRef): Promise<Deal> {
  const row = await queries.findDeal(app.db, workspaceId, id)
  if (row === undefined) throw notFound('deal', id)
  return toDeal(row)
}

export async function getDealDetail(app: App, { workspaceId, id }: RowRef): Promise<DealDetail> {
  const row = await queries.findDeal(app.db, workspaceId, id)
  if (row === undefined) throw notFound('deal', id)
  const lead = row.lead_id === null ? undefined : await queries.findLead(app.db, workspaceId, row.lead_id)
  return { ...toDeal(row), lead: lead === undefined ? null : { id: lead.id, name: lead.name } }
}

function toDeal(row: queries.DealRow): Deal {
  return {
    id: row.id,
    title: row.title,
    stage: row.stage,
    amount: toMoneyOrNull(row.amount),
    account_id: row.account_id,
    owner_id: row.owner_id,
    expected_close_at: row.expected_close_at,
    created_at: formatInstant(row.created_at),
    account: row.account_id === null ? null : { id: row.account_id, name: row.account_name ?? '' },
    owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? '' },
  }
}
