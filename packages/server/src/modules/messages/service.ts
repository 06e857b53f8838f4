import { integerId, type MessageInEvent, type Named } from '@service/contract'
import { ChannelInput, MessageInput } from '@service/contract/admin/message-input'
import * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { formatInstant } from '../../core/clock.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Page } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { inTransaction } from '../../store/transaction.ts'
import { findMember } from '../members/service.ts'
import { findTicketReference } from '../tickets/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewChannel = z.extend(ChannelInput, { workspace_id: integerId })
export type NewChannel = z.input<typeof NewChannel>

export const NewMessage = z.extend(MessageInput, { workspace_id: integerId })
export type NewMessage = z.input<typeof NewMessage>

export function createChannel(app: App, { workspace_id, name }: NewChannel): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const channel = await queries.insertChannel(app.db, { workspace_id, name, created_at: app.clock.now() })
    if (channel === undefined) throw conflict('A channel with this name exists already.')
    return channel
  })
}

interface ChannelRef {
  readonly workspaceId: number
  readonly id: number
}

export async function getChannel(app: App, { workspaceId, id }: ChannelRef): Promise<Named> {
  const channel = await queries.findChannel(app.db, workspaceId, id)
  if (channel === undefined) throw notFound('channel', id)
  return channel
}

export function updateChannel(app: App, ref: ChannelRef, { name }: { name?: string | undefined }): Promise<Named> {
  return inTransaction(app, async (app) => {
    const before = await getChannel(app, ref)
    return name === undefined ? before : ((await queries.renameChannel(app.db, { ...ref, name })) ?? before)
  })
}

/** Deletes a channel that has no messages. */
export function deleteChannel(app: App, { workspaceId, id }: ChannelRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteChannel(app.db, workspaceId, id))) throw notFound('channel', id)
    return { id }
  })
}

/** Channels, newest first. */
export function listChannels(app: App, workspaceId: number, page: Page): Promise<Named[]> {
  return queries.listChannels(app.db, workspaceId, page)
}

/** The oldest channel of a workspace, for examples; undefined if there is none. */
export const findFirstChannel = (app: App, workspaceId: number): Promise<Named | undefined> =>
  queries.findFirstChannel(app.db, workspaceId)

export const channelExists = async (app: App, workspaceId: number, id: number): Promise<boolean> =>
  (await queries.findChannel(app.db, workspaceId, id)) !== undefined

/** Posts a message and emits `message.created` in the same transaction. */
export function postMessage(app: App, message: NewMessage): Promise<MessageInEvent & { readonly created_at: string }> {
  const { workspace_id, channel_id, author_id, ticket_id, body } = message
  return inTransaction(app, async (app) => {
    const { channel_id: channel, author_id: author } = await requireReferences({
      channel_id: { id: channel_id, find: (id) => queries.findChannel(app.db, workspace_id, id) },
      author_id: { id: author_id, find: (id) => findMember(app, workspace_id, id) },
      ticket_id: { id: ticket_id, find: (id) => findTicketReference(app, workspace_id, id) },
    })
    const created_at = app.clock.now()
    const row = {
      workspace_id,
      channel_id,
      author_id: author_id ?? null,
      ticket_id: ticket_id ?? null,
      body,
      created_at,
    }
    const posted = {
      id: await queries.insertMessage(app.db, row),
      body,
      channel: channel ?? { id: channel_id, name: '' },
      author,
    }
    await enqueue(app, workspace_id, { event: 'message.created', message: posted })
    return { ...posted, created_at: formatInstant(created_at) }
  })
}

/** Messages of a workspace that match all filters, newest first. */
export async function listMessages(app: App, filter: queries.MessageFilter & { workspaceId: number }, page: Page) {
  const rows = await queries.listMessages(app.db, filter, page)
  return rows.map((row) => ({ ...row, created_at: formatInstant(row.created_at) }))
}
