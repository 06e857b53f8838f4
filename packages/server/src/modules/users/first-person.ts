import type { App } from '../../core/context.ts'
import { inTransaction } from '../../store/transaction.ts'
import { saveAdministrator } from './link-service.ts'
import { hashPassword } from './passwords.ts'
import { findByEmail } from './queries.ts'

/** The person whom the settings name can sign in and administers the instance. One who has a password keeps it. */
export async function ensureConfiguredAdministrator(app: App): Promise<void> {
  const { adminEmail: email, adminPassword } = app.config
  if (email === undefined || adminPassword === undefined) return
  const known = await findByEmail(app.db, email)
  if (known !== undefined && known.password_hash !== null) return
  const password_hash = await hashPassword(adminPassword)
  const name = known?.name ?? email.slice(0, email.lastIndexOf('@'))
  await inTransaction(app, async (app) => {
    const now = await findByEmail(app.db, email)
    if (now === undefined || now.password_hash === null) await saveAdministrator(app, { name, email, password_hash })
  })
}
