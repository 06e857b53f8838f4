import { openLeadStatuses } from '@service/contract'
import type { DealQuery, LeadQuery } from '@service/contract/admin/crm-input'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Page, SearchedPage } from '../../core/pagination.ts'
import { deleteRow, refuseDuplicate } from '../../store/constraint.ts'
import type { Db } from '../../store/database.ts'
import { listFiltered, maxRowsRead } from '../../store/filtered-list.ts'
import {
  dayKey,
  idOrNull,
  integerKey,
  jsonIds,
  memberName,
  newestFirst,
  type SortOrder,
} from '../../store/list-query.ts'
import { createSearch } from '../../store/record-search.ts'
import type { Store } from '../../store/store.ts'
import { acrossWorkspaces, type RowRef } from '../../store/workspace-keys.ts'
import type { AccountsTable, DealsTable, LeadEnquiriesTable, LeadSourcesTable, LeadsTable } from './table.ts'

export type NewLeadRow = Omit<LeadsTable, 'id'>
export type LeadRow = Selectable<LeadsTable>
export type EnquiryRow = Selectable<LeadEnquiriesTable>
export type DealRow = Selectable<DealsTable> & { account_name: string | null; owner_name: string | null }

const dealsWithNames = (db: Db, workspaceId: number) =>
  db
    .selectFrom('deals')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.workspace_id', '=', 'deals.workspace_id').onRef('accounts.id', '=', 'deals.account_id'),
    )
    .leftJoin('users', 'users.id', 'deals.owner_id')
    .selectAll('deals')
    .select(['accounts.name as account_name', memberName<string | null>(workspaceId, 'users').as('owner_name')])
    .where('deals.workspace_id', '=', workspaceId)

const dealOrders = {
  amount: { key: sql<number>`coalesce(deals.amount, -1)`, direction: 'desc', pattern: integerKey },
  close: {
    key: sql<string>`case when stage in ('won', 'lost') or expected_close_at is null then '9' else expected_close_at end`,
    direction: 'asc',
    pattern: dayKey,
  },
} as const satisfies Record<NonNullable<DealQuery['sort']>, SortOrder>

export const listDeals = (
  store: Store,
  workspaceId: number,
  { stage, account_id, owner_id, search, ...page }: DealQuery,
) =>
  listFiltered(store.dialect, {
    all: dealsWithNames(store.db, workspaceId),
    search: createSearch(store, { table: 'deals', workspaceId, search }),
    page,
    orders: dealOrders,
    id: 'deals.id',
    filters: { stage, account_id, owner_id: idOrNull(owner_id) },
    indexed: ['account_id', 'stage'],
  })

export const deleteDeal = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'deals', workspaceId, id, refusal: 'Other records refer to the deal.' })

export const updateAccount = (db: Db, { workspaceId, id }: RowRef, name: string) =>
  db.updateTable('accounts').set({ name }).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const deleteAccount = (db: Db, workspaceId: number, id: number) =>
  deleteRow(db, { table: 'accounts', workspaceId, id, refusal: 'The account has deals.' })

/** The newest deal that was made from a lead. */
export const findDealOfLead = (db: Db, workspaceId: number, leadId: number) =>
  db
    .selectFrom('deals')
    .select(['id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('lead_id', '=', leadId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findDeal = (db: Db, workspaceId: number, id: number): Promise<DealRow | undefined> =>
  dealsWithNames(db, workspaceId).where('deals.id', '=', id).executeTakeFirst()

export const insertDeal = async (db: Db, row: Insertable<DealsTable>) =>
  (await db.insertInto('deals').values(row).returning('id').executeTakeFirstOrThrow()).id

export const updateDeal = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<DealsTable>) =>
  db.updateTable('deals').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const insertAccount = (db: Db, row: Insertable<AccountsTable>) =>
  db.insertInto('accounts').values(row).returning(['id', 'name']).executeTakeFirstOrThrow()

export const findAccount = (db: Db, workspaceId: number, id: number) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The oldest account with a name, ignoring case. */
export async function findAccountByName(store: Store, workspaceId: number, name: string) {
  const found = await store.db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where(({ eb, fn, val }) => eb(fn('lower', ['name']), '=', fn('lower', [val(name)])))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (found !== undefined || /^[ -~]*$/.test(name)) return found
  // SQLite's `lower` changes only ASCII letters.
  const similar = await listAccounts(store, workspaceId, { search: name, limit: 200 })
  return similar.findLast((account) => account.name.toLowerCase() === name.toLowerCase())
}

export const listAccounts = (store: Store, workspaceId: number, { search, ...page }: SearchedPage) =>
  listFiltered(store.dialect, {
    all: store.db.selectFrom('accounts').select(['id', 'name']).where('workspace_id', '=', workspaceId),
    search: createSearch(store, { table: 'accounts', workspaceId, search }),
    page,
    orders: {},
    filters: {},
  })

export const listLeadSources = (db: Db, workspaceId: number) =>
  db.selectFrom('lead_sources').selectAll().where('workspace_id', '=', workspaceId).orderBy('source').execute()

/** Sources with an encrypted secret, in all workspaces. */
export const listEncryptedSources = (db: Db) =>
  db
    .selectFrom('lead_sources')
    .selectAll()
    .where('secret_encrypted', 'is not', null)
    .orderBy('workspace_id')
    .orderBy('source')
    .modifyEnd(acrossWorkspaces('encryption'))
    .execute()

export const findLeadSource = (db: Db, workspaceId: number, source: string) =>
  db
    .selectFrom('lead_sources')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .executeTakeFirst()

export const upsertLeadSource = (db: Db, row: Omit<LeadSourcesTable, 'secret_hash' | 'secret_encrypted' | 'mapping'>) =>
  db
    .insertInto('lead_sources')
    .values({ ...row, secret_hash: null, secret_encrypted: null, mapping: null })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'source']).doUpdateSet({ active: row.active, updated_at: row.updated_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateLeadSource = (
  db: Db,
  { workspaceId, source }: { readonly workspaceId: number; readonly source: string },
  patch: Updateable<LeadSourcesTable>,
) =>
  db
    .updateTable('lead_sources')
    .set(patch)
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .returningAll()
    .executeTakeFirst()

/** Returns undefined if an open lead has this e-mail; the partial unique index also decides concurrent inserts. */
export const insertLead = (db: Db, row: NewLeadRow): Promise<LeadRow | undefined> =>
  db
    .insertInto('leads')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'email_key'])
        // A literal, because SQLite compares the predicate of a partial index by its text.
        .where(sql<boolean>`email_key is not null and status in ('new', 'contacted', 'qualified')`)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()

/** Returns undefined if an open lead has this e-mail or WhatsApp account. */
export const insertCapturedLead = (db: Db, row: NewLeadRow) =>
  db
    .insertInto('leads')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const deleteLead = (db: Db, { workspaceId, id }: RowRef) =>
  db.deleteFrom('leads').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

const isOpen = sql<boolean>`status in (${sql.join(openLeadStatuses.map((status) => sql.lit(status)))})`

export type ContactKeys = Pick<LeadsTable, 'email_key' | 'phone_key'>

export const findOpenLeadByKeys = (db: Db, workspaceId: number, { email_key, phone_key }: ContactKeys) =>
  db
    .selectFrom('leads')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    // A literal, because the partial indexes on open leads have this condition.
    .where(isOpen)
    .where((where) =>
      email_key === null
        ? where.and([where('email_key', 'is', null), where('phone_key', '=', phone_key)])
        : where('email_key', '=', email_key),
    )
    .executeTakeFirst()

/** Enough to find the person again, also if a form sends the same id with every inquiry. */
const maxWithOneId = 50

/** The newest inquiries with the sender's id. Those from before the scope was stored match any scope. */
export const listEnquiriesWithId = (
  db: Db,
  { workspaceId, source, externalId, scope }: EnquiryId,
): Promise<EnquiryRow[]> =>
  db
    .selectFrom('lead_enquiries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where((where) => where.or([where('scope', '=', scope), where('scope', 'is', null)]))
    .orderBy('id', 'desc')
    .limit(maxWithOneId)
    .execute()

interface EnquiryId {
  readonly workspaceId: number
  readonly source: string
  readonly externalId: string
  readonly scope: string | null
}

export const findEnquiryCopy = (db: Db, workspaceId: number, copyKey: string) =>
  db
    .selectFrom('lead_enquiries')
    .select(['id', 'lead_id'])
    .where('workspace_id', '=', workspaceId)
    .where('copy_key', '=', copyKey)
    .executeTakeFirst()

/** Returns undefined if another delivery has just stored a copy of the inquiry. */
export const insertEnquiry = (db: Db, row: Insertable<LeadEnquiriesTable>) =>
  db
    .insertInto('lead_enquiries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()

export const findEnquiry = (db: Db, { workspaceId, id }: RowRef): Promise<EnquiryRow | undefined> =>
  db
    .selectFrom('lead_enquiries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const updateEnquiry = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<LeadEnquiriesTable>) =>
  db.updateTable('lead_enquiries').set(patch).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** The other inquiries of a lead, oldest first. */
export const listOtherEnquiries = (db: Db, { workspaceId, leadId, id }: RowRef & { readonly leadId: number }) =>
  db
    .selectFrom('lead_enquiries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('lead_id', '=', leadId)
    .where('id', '<>', id)
    .orderBy('id')
    .limit(maxOtherEnquiries)
    .execute()

/** What one replay moves at most. */
const maxOtherEnquiries = 1000

interface EnquiryFilter {
  readonly workspaceId: number
  readonly leadId: number | undefined
  readonly leadIds: readonly number[] | undefined
}

export const listEnquiriesPage = (
  { dialect, db }: Store,
  { workspaceId, leadId, leadIds }: EnquiryFilter,
  page: Page,
): Promise<EnquiryRow[]> =>
  newestFirst(
    db
      .selectFrom('lead_enquiries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .$if(leadId !== undefined, (all) => all.where('lead_id', '=', leadId ?? 0))
      .$if(leadIds !== undefined, (all) => all.where('lead_id', 'in', jsonIds(dialect, leadIds ?? []))),
    page,
  ).execute()

/** The newest leads with an e-mail address, in any case. */
export async function listIdsWithEmail(store: Store, workspaceId: number, email: string): Promise<number[]> {
  // The search also finds longer and similar addresses.
  const search = createSearch(store, { table: 'leads', workspaceId, search: email })
  const found = (await search?.({ limit: maxRowsRead })) ?? []
  const rows = await store.db
    .selectFrom('leads')
    .select(['id', 'email'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', jsonIds(store.dialect, found))
    .execute()
  const address = email.trim().toLowerCase()
  return rows.filter((row) => row.email?.trim().toLowerCase() === address).map(({ id }) => id)
}

const leadOrders = {
  value: { key: sql<number>`coalesce(estimated_value, -1)`, direction: 'desc', pattern: integerKey },
} as const satisfies Record<NonNullable<LeadQuery['sort']>, SortOrder>

export const listLeadsPage = (store: Store, workspaceId: number, { status, source, search, ...page }: LeadQuery) =>
  listFiltered(store.dialect, {
    all: store.db.selectFrom('leads').selectAll().where('workspace_id', '=', workspaceId),
    search: createSearch(store, { table: 'leads', workspaceId, search }),
    page,
    orders: leadOrders,
    filters: { status, source },
    indexed: ['status', 'source'],
  })

export const findLead = (db: Db, workspaceId: number, id: number): Promise<LeadRow | undefined> =>
  db.selectFrom('leads').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()

/** Returns false if the lead is already converted, also by a concurrent request. */
export const convertLead = async (db: Db, { workspaceId, id }: RowRef, now: number): Promise<boolean> => {
  const converted = await db
    .updateTable('leads')
    .set({ status: 'converted', updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '<>', 'converted')
    .returning('id')
    .executeTakeFirst()
  return converted !== undefined
}

/** Conflicts if another open lead has the same e-mail or WhatsApp account, also for concurrent updates. */
export const updateLead = (db: Db, { workspaceId, id }: RowRef, patch: Updateable<LeadsTable>): Promise<LeadRow> =>
  refuseDuplicate(
    db
      .updateTable('leads')
      .set(patch)
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
    'An open lead with this email already exists.',
  )
