import type { Deal } from '@service/contract'
import type { LeadConversion } from '@service/contract/admin/crm-input'
import type { App } from '../../context.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { inTransaction, lockText } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { createAccount, createDeal } from './deal-service.ts'
import * as queries from './queries.ts'

/** Creates a deal from a lead, and its account unless one has the name. The lead becomes `converted`. */
export function convertLead(
  app: App,
  { workspaceId, id }: RowRef,
  { account_name, ...deal }: LeadConversion,
): Promise<Deal> {
  const accountName = account_name?.trim()
  if (accountName && deal.account_id)
    throw validation({ account_name: ['The account_name field cannot be combined with account_id.'] })
  return inTransaction(app, async (app) => {
    if ((await queries.findLead(app.db, workspaceId, id)) === undefined) throw notFound('lead', id)
    if (!(await queries.convertLead(app.db, { workspaceId, id }, app.clock.now())))
      throw conflict('The lead is already converted.')
    // Two leads of one company that are converted at once get one account.
    if (accountName) await lockText(app, `account ${workspaceId} ${accountName.toLowerCase()}`)
    const account = accountName
      ? ((await queries.findAccountByName(app.store, workspaceId, accountName)) ??
        (await createAccount(app, { workspace_id: workspaceId, name: accountName })))
      : undefined
    return createDeal(app, { workspace_id: workspaceId, ...deal, account_id: account?.id ?? deal.account_id }, id)
  })
}
