import type { TxApp } from '../../context.ts'
import type { AdminCaller } from '../../core/admin-caller.ts'
import { conflict, forbidden } from '../../core/errors.ts'
import { lockText } from '../../store/transaction.ts'
import * as queries from './queries.ts'

/** Changes of the instance's administrators happen one after another, so that two cannot remove each other. */
export const lockAdministrators = (app: TxApp) => lockText(app, 'administrators of the instance')

/** Whether a person administers the instance now, and not only when the request was authorized. */
export async function isAdministrator(app: TxApp, userId: number): Promise<boolean> {
  const row = await queries.findUser(app.db, userId)
  return row !== undefined && row.disabled_at === null && row.is_instance_admin === 1
}

/** People leave one administrator who can sign in. The admin token and the command line can replace any of them. */
export async function requireOtherAdministrator(app: TxApp, { user }: AdminCaller, userId: number): Promise<void> {
  if (user === undefined) return
  if (!(await isAdministrator(app, user.id))) throw forbidden('This needs the role instance.')
  if ((await queries.findOtherAdministrator(app.db, userId)) === undefined)
    throw conflict('This is the last administrator of the instance. Make another person an administrator first.')
}
