import { integerId, type MessageInEvent, type Named } from '@service/contract'
import { ChannelInput, MessageInput } from '@service/contract/admin/message-input'
import * as z from 'zod/mini'
import type { App, TxApp } from '../../context.ts'
import { type AdminCaller, toNamedActor, toOrigin } from '../../core/admin-caller.ts'
import { formatInstant } from '../../core/clock.ts'
import { conflict, notFound, validation } from '../../core/errors.ts'
import { mapRows, type Page } from '../../core/pagination.ts'
import { requireReferences } from '../../core/references.ts'
import { enqueue } from '../../delivery/outbox/outbox.ts'
import { requireRoom } from '../../store/row-limits.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { RowRef } from '../../store/workspace-keys.ts'
import { findAuthor, listMemberNames } from '../members/service.ts'
import { findTicketReference } from '../tickets/service.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { findMentioned, mayMention } from './find-mentioned.ts'
import * as queries from './queries.ts'

// The API inputs plus the workspace id, for callers without a path.

export const NewChannel = z.extend(ChannelInput, { workspace_id: integerId })
export type NewChannel = z.input<typeof NewChannel>

export const NewMessage = z.extend(MessageInput, { workspace_id: integerId })
export type NewMessage = z.input<typeof NewMessage>

export function createChannel(app: App, { workspace_id, name }: NewChannel): Promise<Named> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    await requireRoom(app, 'channels', workspace_id)
    const channel = await queries.insertChannel(app.db, { workspace_id, name, created_at: app.clock.now() })
    if (channel === undefined) throw conflict('A channel with this name exists already.')
    return channel
  })
}

export async function getChannel(app: App, { workspaceId, id }: RowRef): Promise<Named> {
  const channel = await queries.findChannel(app.db, workspaceId, id)
  if (channel === undefined) throw notFound('channel', id)
  return channel
}

export function updateChannel(app: App, ref: RowRef, { name }: { name?: string | undefined }): Promise<Named> {
  return inTransaction(app, async (app) => {
    const before = await getChannel(app, ref)
    return name === undefined ? before : ((await queries.renameChannel(app.db, { ...ref, name })) ?? before)
  })
}

/** Deletes a channel that has no messages. */
export function deleteChannel(app: App, { workspaceId, id }: RowRef) {
  return inTransaction(app, async (app) => {
    if (!(await queries.deleteChannel(app.db, workspaceId, id))) throw notFound('channel', id)
    return { id }
  })
}

/** Channels, newest first. */
export function listChannels(app: App, workspaceId: number, page: Page): Promise<Named[]> {
  return queries.listChannels(app.db, workspaceId, page)
}

/** The oldest channel of a workspace, or a new one. */
export async function findOrCreateFirstChannel(app: App, workspace_id: number): Promise<number> {
  const channel = await queries.findFirstChannel(app.db, workspace_id)
  return (channel ?? (await createChannel(app, { workspace_id, name: 'general' }))).id
}

/** The channel of a ticket's last message, or else the first channel of the workspace. */
async function findOrCreateTicketChannel(app: App, workspaceId: number, ticket_id: number): Promise<Named> {
  const [last] = await queries.listMessages(app.store, { workspaceId, ticket_id }, { limit: 1 })
  return getChannel(app, { workspaceId, id: last?.channel_id ?? (await findOrCreateFirstChannel(app, workspaceId)) })
}

export const channelExists = async (app: App, workspaceId: number, id: number): Promise<boolean> =>
  (await queries.findChannel(app.db, workspaceId, id)) !== undefined

/** Posts a message, which may mention members, and emits `message.created` in the same transaction. */
export function postMessage(app: App, message: NewMessage): Promise<MessageInEvent & { readonly created_at: string }> {
  const { workspace_id, author_id = null, ticket_id = null, body } = message
  return inTransaction(app, async (app) => {
    const found = await requireReferences({
      channel_id: { id: message.channel_id, find: (id) => queries.findChannel(app.db, workspace_id, id) },
      author_id: { id: author_id, find: (id) => findAuthor(app, workspace_id, id) },
      ticket_id: { id: ticket_id, find: (id) => findTicketReference(app, workspace_id, id) },
    })
    const ofTicket = async () =>
      ticket_id === null ? undefined : await findOrCreateTicketChannel(app, workspace_id, ticket_id)
    const channel = found.channel_id ?? (await ofTicket())
    if (channel === undefined) throw validation({ channel_id: ['The channel_id field is required.'] })
    const created_at = app.clock.now()
    const { kind: origin, id: origin_id } = toOrigin(author_id, app.actor)
    const row = { workspace_id, channel_id: channel.id, author_id, origin, origin_id, ticket_id, body, created_at }
    const posted = { id: await queries.insertMessage(app.db, row), body, channel, author: found.author_id }
    if (author_id !== null) await noteMentions(app, author_id, { id: posted.id, ...row })
    await enqueue(app, workspace_id, { event: 'message.created', message: posted })
    return { ...posted, created_at: formatInstant(created_at) }
  })
}

/** Records whom a message of a person mentions. The person has seen what was said before. */
async function noteMentions(app: TxApp, authorId: number, message: queries.MessageRow): Promise<void> {
  const { workspace_id, id: message_id, body } = message
  await queries.deleteMentionsIn(app.db, { workspaceId: workspace_id, userId: authorId }, message)
  if (!mayMention(body)) return
  const members = await listMemberNames(app, workspace_id)
  const mentioned = findMentioned(body, members).filter(({ id }) => id !== authorId)
  if (mentioned.length > 0)
    await queries.insertMentions(
      app.db,
      mentioned.map(({ id }) => ({ workspace_id, user_id: id, message_id })),
    )
}

interface Mentioned {
  readonly workspaceId: number
  readonly caller: AdminCaller
}

const maxMentions = 50

/** The newest messages that mention the caller, until the caller has seen or answered them. */
export async function listMentions(app: App, { workspaceId, caller }: Mentioned) {
  const rows = await queries.listMentions(app.db, { workspaceId, userId: caller.user?.id ?? 0 }, maxMentions)
  return { data: rows.map(toMessage) }
}

export function deleteMention(app: App, { workspaceId, caller, id }: Mentioned & { readonly id: number }) {
  return inTransaction(app, async (app) => {
    const deleted = await queries.deleteMention(app.db, { workspaceId, userId: caller.user?.id ?? 0 }, id)
    if (deleted === undefined) throw notFound('mention', id)
    return { id }
  })
}

/** Messages of a workspace that match all filters, newest first. */
export async function listMessages(app: App, filter: queries.MessageFilter & { workspaceId: number }, page: Page) {
  return mapRows(await queries.listMessages(app.store, filter, page), ({ sort_key: _, ...row }) => toMessage(row))
}

const toMessage = ({
  author_name: name,
  origin,
  origin_id,
  origin_name,
  ...row
}: Awaited<ReturnType<typeof queries.listMentions>>[number]) => ({
  ...row,
  origin: toNamedActor({ kind: origin, id: origin_id, name: origin_name }),
  author: row.author_id === null || name === null ? null : { id: row.author_id, name },
  created_at: formatInstant(row.created_at),
})
