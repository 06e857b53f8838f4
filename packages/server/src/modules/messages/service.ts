import type { MessageInEvent, Named } from '@service/contract'
import { conflict } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { enqueue } from '../../delivery/outbox.ts'
import { toInstant } from '../../instants.ts'
import type { Page } from '../../page.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { requireReferences } from '../require-references.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { NewChannel, NewMessage } from './input.ts'
import * as queries from './queries.ts'

export function createChannel(app: App, { workspace_id, name }: NewChannel): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const channel = await queries.insertChannel(app.db, { workspace_id, name, created_at: app.clock.now() })
    if (channel === undefined) throw conflict('A channel with this name exists already.')
    return channel
  })
}

export function listChannels(app: App, workspaceId: number): Promise<Named[]> {
  return queries.listChannels(app.db, workspaceId)
}

/** Posts a message; `message.created` commits with it. */
export function postMessage(app: App, message: NewMessage): Promise<MessageInEvent & { readonly created_at: string }> {
  const { workspace_id, channel_id, author_id, body } = message
  return inTransaction(app, async (app) => {
    const { channel_id: channel, author_id: author } = await requireReferences({
      channel_id: { id: channel_id, find: (id) => queries.findChannel(app.db, workspace_id, id) },
      author_id: { id: author_id, find: (id) => findMember(app, workspace_id, id) },
    })
    const created_at = app.clock.now()
    const row = { workspace_id, channel_id, author_id: author_id ?? null, body, created_at }
    const posted = {
      id: await queries.insertMessage(app.db, row),
      body,
      channel: channel ?? { id: channel_id, name: '' },
      author,
    }
    await enqueue(app, workspace_id, { event: 'message.created', message: posted })
    return { ...posted, created_at: toInstant(created_at) }
  })
}

/** Messages of a channel, newest first. */
export async function listMessages(app: App, channel: { workspaceId: number; channelId: number }, page: Page) {
  const rows = await queries.listMessages(app.db, channel, page)
  return rows.map((row) => ({ ...row, created_at: toInstant(row.created_at) }))
}
