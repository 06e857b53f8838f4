import { type Micros, microsPerMinute } from '../../../core/clock.ts'
import { formatInstant } from '../../../core/instants.ts'
import { createChannel } from '../../../modules/messages/service.ts'
import { toTicketNumber } from '../../../modules/tickets/ticket-number.ts'
import { pinTime } from '../../factories/pins.ts'
import { hourOf } from './calendar.ts'
import type { Company } from './company.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
import { channelTexts } from './message-texts.ts'
import type { Person } from './people.ts'
import { cities, customers } from './ticket-texts.ts'
import type { StoredTicket } from './tickets.ts'

export interface StoredChannel {
  readonly id: number
  readonly name: string
}

/** A message as its event names it. */
export interface StoredMessage {
  readonly id: number
  readonly body: string
  readonly channel: StoredChannel
  readonly author: Person | null
  readonly at: Micros
}

export async function makeChannels({ app, workspace, calendar }: Company): Promise<readonly StoredChannel[]> {
  const [first] = calendar
  const made = pinTime(app, formatInstant(first?.startsAt ?? app.clock.now()))
  const channels: StoredChannel[] = []
  for (const { name } of channelTexts) channels.push(await createChannel(made, { workspace_id: workspace, name }))
  return channels
}

/** What is to be posted; a rule's message has no author. */
export type MessagePlan = Omit<StoredMessage, 'id'>

/** What people write to one another, mostly on workdays. */
export function planMessages(
  { calendar, now, people, random: streamOf }: Company,
  channels: readonly StoredChannel[],
  tickets: readonly StoredTicket[],
): readonly MessagePlan[] {
  const random = streamOf('messages')
  return channelTexts.flatMap(({ name, departments, texts }) => {
    const channel = channels.find((one) => one.name === name)
    const authors = people.filter(({ department }) => departments.includes(department))
    if (channel === undefined) return []
    return texts.flatMap((text, index) => {
      const day = calendar[Math.floor(((index + random.fraction()) * calendar.length) / texts.length)]
      const at =
        day === undefined || index === texts.length - 1
          ? now - random.whole(3, 50) * microsPerMinute
          : hourOf(day, 7.5 + 11 * random.fraction())
      const ticket = tickets.findLast((one) => one.at < at)
      const body = text
        .replace('{customer}', random.pick(customers))
        .replace('{city}', random.pick(cities))
        .replace('{ticket}', ticket === undefined ? 'the ticket' : toTicketNumber(ticket.number))
      return at > now ? [] : [{ body, channel, author: random.pick(authors), at }]
    })
  })
}

export async function storeMessages(
  { app, workspace }: Company,
  plans: readonly MessagePlan[],
): Promise<readonly StoredMessage[]> {
  const ordered = plans.toSorted((a, b) => a.at - b.at)
  const ids = await takeIds(app, 'messages', ordered.length)
  const messages = ordered.map((plan, index) => ({ ...plan, id: idAt(ids, index) }))
  await insertRows(
    app,
    'messages',
    messages.map(({ id, channel, author, body, at }) => ({
      id,
      workspace_id: workspace,
      channel_id: channel.id,
      author_id: author?.id ?? null,
      body,
      created_at: at,
    })),
  )
  return messages
}
