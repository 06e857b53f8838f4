import type { Deal, Named } from '@service/contract'
import type { DealPatch } from '@service/contract/admin/crm-input'
import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { notFound } from '../../core/errors.ts'
import { defaultPage, type Page } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { toMinorUnits, toMoneyOrNull } from './money.ts'
import * as queries from './queries.ts'
import type { NewAccount, NewDeal } from './service.ts'

/** Deals of a workspace, newest first. Without a page, the newest 50. */
export async function listDeals(
  app: App,
  workspaceId: number,
  query: Page & queries.DealFilter = defaultPage,
): Promise<Deal[]> {
  return (await queries.listDeals(app.db, workspaceId, query)).map(toDeal)
}

export function createAccount(app: App, { workspace_id, name }: NewAccount): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    return queries.insertAccount(app.db, { workspace_id, name, created_at: app.clock.now() })
  })
}

interface AccountAt {
  readonly workspaceId: number
  readonly id: number
}

export async function getAccount(app: App, { workspaceId, id }: AccountAt): Promise<Named> {
  const account = await queries.findAccount(app.db, workspaceId, id)
  if (account === undefined) throw notFound('account', id)
  return account
}

export function updateAccount(app: App, at: AccountAt, { name }: { name?: string | undefined }): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getAccount(app, at)
    if (name !== undefined) await queries.updateAccount(app.db, at, name)
    return getAccount(app, at)
  })
}

/** Deletes an account that has no deals. */
export function deleteAccount(app: App, { workspaceId, id }: AccountAt) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteAccount(app.db, workspaceId, id))) throw notFound('account', id)
    return { id }
  })
}

export function deleteDeal(app: App, { workspaceId, id }: { workspaceId: number; id: number }) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteDeal(app.db, workspaceId, id))) throw notFound('deal', id)
    return { id }
  })
}

/** Accounts, newest first. */
export function listAccounts(app: App, workspaceId: number, page: Page): Promise<Named[]> {
  return queries.listAccounts(app.db, workspaceId, page)
}

export function createDeal(app: App, { workspace_id, ...deal }: NewDeal): Promise<Deal> {
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
      created_at: now,
      updated_at: now,
    })
    return getDeal(app, { workspaceId: workspace_id, id })
  })
}

export function updateDeal(
  app: App,
  { workspaceId, id }: { workspaceId: number; id: number },
  patch: DealPatch,
): Promise<Deal> {
  return inTransaction(app, async (app) => {
    await getDeal(app, { workspaceId, id })
    await requireDealReferences(app, workspaceId, patch)
    const { amount, stage, title, ...others } = patch
    const given = {
      ...others,
      ...(title === undefined ? {} : { title }),
      ...(stage ? { stage } : {}),
      ...(amount === undefined ? {} : { amount: toMinorUnitsOrNull(amount) }),
    }
    const changed = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    await queries.updateDeal(app.db, { workspaceId, id }, { ...changed, updated_at: app.clock.now() })
    return getDeal(app, { workspaceId, id })
  })
}

function requireDealReferences(app: App, workspaceId: number, deal: Pick<DealPatch, 'account_id' | 'owner_id'>) {
  return requireReferences({
    account_id: { id: deal.account_id, find: (id) => queries.findAccount(app.db, workspaceId, id) },
    owner_id: { id: deal.owner_id, find: (id) => findMember(app, workspaceId, id) },
  })
}

export async function getDeal(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<Deal> {
  const row = await queries.findDeal(app.db, workspaceId, id)
  if (row === undefined) throw notFound('deal', id)
  return toDeal(row)
}

const toMinorUnitsOrNull = (amount: number | null | undefined) =>
  typeof amount === 'number' ? toMinorUnits(amount) : null

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
