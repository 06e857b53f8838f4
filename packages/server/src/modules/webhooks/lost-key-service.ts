import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { pauseQueue } from '../../delivery/queues/queues.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import * as queries from './queries.ts'

// A subscription encrypted with a lost key is kept with its pending deliveries. After its secret is rotated and its URL
// and headers are set again, it can be enabled and its held deliveries can be recovered.

export const lostKey = 'encryption_key_lost'

/** The error of each delivery that is held for this reason. */
export const lostKeyError =
  'The encryption key of this subscription was lost. Rotate its secret, set its URL and headers again, enable it, and recover its deliveries.'

/** Disables subscriptions that cannot be decrypted. Returns one sentence each. */
export async function disableUnreadableSubscriptions(app: TxApp): Promise<string[]> {
  const sentences: string[] = []
  for (const row of await queries.listEncrypted(app.db)) {
    if (isReadable(app, row)) continue
    await pauseQueue(app, { workspaceId: row.workspace_id, id: row.id }, lostKey)
    sentences.push(`Subscription ${row.id} is disabled: its encryption key was lost.`)
  }
  return sentences
}

/** A subscription whose URL or secret cannot be decrypted cannot be enabled. */
export async function requireReadable(app: App, at: RowRef): Promise<void> {
  const row = await queries.findEncrypted(app.db, at)
  if (row === undefined || isReadable(app, row)) return
  throw validation(
    Object.fromEntries(
      unreadableFields(app, row).map((field) => [
        field,
        [`The encryption key of this subscription was lost. ${remedies[field]}.`],
      ]),
    ),
  )
}

const remedies = { secret: 'Rotate the secret', url: 'Set the url again', headers: 'Set the headers again' } as const

function unreadableFields(
  { cipher }: App,
  { secret_encrypted, url_encrypted, headers_encrypted }: queries.EncryptedRow,
) {
  const encrypted = { secret: secret_encrypted, url: url_encrypted, headers: headers_encrypted }
  return (['secret', 'url', 'headers'] as const).filter((field) => {
    const text = encrypted[field]
    return text !== null && !cipher.isReadable(text)
  })
}

const isReadable = (app: App, row: queries.EncryptedRow): boolean => unreadableFields(app, row).length === 0
