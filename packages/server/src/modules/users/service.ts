import type { User } from '@service/client/admin'
import type { UserInput, UserPatch } from '@service/contract/admin/users-input'
import type * as z from 'zod/mini'
import type { App } from '../../core/context.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { noteWorkspacesOf } from '../members/service.ts'
import * as queries from './queries.ts'
import { endSessions } from './session-service.ts'
import { toUser } from './user.ts'

/** People page by page, newest first. */
export async function listUsers(app: App, page: Page): Promise<User[]> {
  return (await queries.listUsers(app.db, page)).map(toUser)
}

export async function getUser(app: App, id: number): Promise<User> {
  const row = await queries.findUser(app.db, id)
  if (row === undefined) throw notFound('user', id)
  return toUser(row)
}

export function createUser(app: App, { name, email, is_instance_admin }: z.output<typeof UserInput>): Promise<User> {
  return inTransaction(app, async (app) => {
    const flag = toInteger(is_instance_admin)
    const row = await queries.insertUser(app.db, { name, email, is_instance_admin: flag, created_at: app.clock.now() })
    if (row === undefined) throw conflict(`There is a person with the e-mail address ${email} already.`)
    return toUser(row)
  })
}

/** A field that is left out stays as it is. Disabling somebody ends their sessions. */
export function updateUser(app: App, id: number, patch: z.output<typeof UserPatch>): Promise<User> {
  return inTransaction(app, async (app) => {
    const before = await queries.findUser(app.db, id)
    if (before === undefined) throw notFound('user', id)
    const { name, is_instance_admin, disabled } = patch
    if (disabled === true) await endSessions(app, { userId: id })
    const row = await queries.updateUser(app.db, id, {
      name: name ?? before.name,
      is_instance_admin: is_instance_admin === undefined ? before.is_instance_admin : toInteger(is_instance_admin),
      disabled_at: disabledAt(before.disabled_at, disabled, app.clock.now()),
    })
    await noteWorkspacesOf(app, id)
    return toUser(row ?? before)
  })
}

function disabledAt(before: number | null, disabled: boolean | undefined, now: number): number | null {
  if (disabled === undefined) return before
  return disabled ? (before ?? now) : null
}
