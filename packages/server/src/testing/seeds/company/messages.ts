import { formatInstant, type Micros, microsPerMinute } from '../../../core/clock.ts'
import { createChannel } from '../../../modules/messages/service.ts'
import { toTicketNumber } from '../../../modules/tickets/queries.ts'
import { pinTime } from '../../factories/factory-context.ts'
import { type Company, hourOf } from './company.ts'
import { idAt, insertRows, takeIds } from './insert-rows.ts'
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

interface ChannelText {
  readonly name: string
  /** Who writes there. */
  readonly departments: readonly string[]
  /** The oldest first. `{customer}`, `{city}` and `{ticket}` are filled in. */
  readonly texts: readonly string[]
}

const everybody = ['Operations', 'Engineering', 'Sales', 'Support', 'Dispatch', 'Warehouse', 'Finance']

const channelTexts: readonly ChannelText[] = [
  {
    name: 'general',
    departments: everybody,
    texts: [
      'Welcome, Jonas! He takes the nights of Friday and Saturday.',
      'The coffee machine is back. Please descale it on Fridays.',
      'First aid course on the 14th, six places left.',
      'The canteen is closed on Monday.',
      'Data migration is done. Thank you all for the two long evenings!',
      'Visitors from {customer} at 10 h, meeting room Harbour.',
      'Fire drill tomorrow at 11 h. Leave by the nearest door and meet at the gate.',
      'Holiday plans for December until Friday, please.',
      'New badges for the warehouse gate are at the front desk.',
      'The car park is resurfaced on Thursday, use the yard.',
      'Numbers of last month: 11,480 parcels, 98.1 % on time. Best month so far.',
      'Flu shots on Wednesday in room 2, no appointment needed.',
      'Who has the key of the bicycle cage?',
      'The front door reader was slow this morning; it has been restarted.',
      'Lunch on Friday is on the house: 1,000 parcels in one day.',
    ],
  },
  {
    name: 'support',
    departments: ['Support', 'Sales', 'Dispatch'],
    texts: [
      '{customer} called about {ticket}, I promised an answer until noon.',
      'Template "delayed by weather" is updated, please use the new one.',
      'Three calls about the tracking page since 19 h.',
      '{ticket} is the same as the one from last week, I have linked them.',
      'Can somebody from dispatch look at {ticket}?',
      '{customer} is happy with the evening window.',
      'Quiet morning: four tickets, all answered.',
      'The photo of {ticket} is unreadable, asked for another.',
      'Carrier confirms: the shop in {city} is closed for good.',
      '{customer} wants to be called, not mailed. It is in their notes now.',
      'Reminder: a trace takes two working days, so please do not promise one.',
      '{ticket} reopened, the customer still sees the old address.',
      'First response times look much better this week.',
      'Who takes {ticket}? It is due in two hours.',
      '{customer} asks for the state of their claim.',
      'I am off on Thursday, Dana has my tickets.',
      'Guests at the checkout again, see {ticket}.',
      '{ticket} is answered, waiting for the depot.',
    ],
  },
  {
    name: 'dispatch',
    departments: ['Dispatch', 'Warehouse'],
    texts: [
      'Van 7 is back from the workshop.',
      'Fog around {city}, plan 40 minutes more.',
      'Driver for the 05:30 tour is ill, Kofi found a replacement.',
      'Ramp 2 is blocked by a container until 15 h.',
      '{customer} has 12 pallets more than announced.',
      'Ferry to {city} leaves an hour later today.',
      'Night was calm, one breakdown, all delivered.',
      'Strike at the terminal on Tuesday. Everything for {city} goes by road.',
      'The refrigerated van needs a new seal.',
      'Scanner 4 lost the network again, {ticket}.',
      'Two drivers are waiting for the papers of {customer}.',
      'Pick-up in {city} moved to the afternoon.',
      'Winter tyres: vans 1 to 6 on Saturday, the others a week later.',
      'Handover: three tours open, nothing urgent.',
      'Tour to {city} is complete.',
      'All vans are out.',
    ],
  },
  {
    name: 'engineering',
    departments: ['Engineering'],
    texts: [
      'Migration rehearsal took 48 minutes, 9 less than last time.',
      'I would like to move the rate lookup out of the checkout. Short note is in the wiki.',
      'Memory errors of the driver app are gone since 4.2.',
      'warehouse-sync stored receipts twice because of a retry. Fix is in review.',
      'On call this week: Chen.',
      'The portal lost its database for 11 minutes. The pool had no limit on waiting.',
      'Please look at the merge request about batches of 200.',
      'Carrier rates time out two or three times a day. We should show the last price.',
      'Refresh tokens are rejected again, same message as last month.',
      'pickupPoint is undefined for guests. It grows by the day, see {ticket}.',
      'Planner fails when a depot has no vans, I take it.',
      'Added an alert on failing webhook deliveries.',
    ],
  },
  {
    name: 'deploys',
    departments: ['Engineering'],
    texts: [
      'checkout-api 2.31.0 is in production.',
      'warehouse-sync 1.18.2 is in production.',
      'driver-app 4.2.0 is in both stores.',
      'customer-portal 3.4.1 is in production.',
      'checkout-api 2.32.0 rolled back, quotes were in the wrong currency.',
      'checkout-api 2.32.1 is in production.',
      'route-planner 2.0.0-beta.3 is on staging.',
      'warehouse-sync 1.19.0 is in production.',
      'customer-portal 3.5.0 is in production.',
      'checkout-api 2.33.0 is in production.',
      'route-planner 2.0.0-beta.4 is on staging.',
      'warehouse-sync 1.19.1 is in production.',
    ],
  },
  {
    name: 'sales',
    departments: ['Sales', 'Operations', 'Finance'],
    texts: [
      '{customer} signed for two years.',
      'Four enquiries from the fair in {city} so far.',
      'Price list for next year is in the folder. Comments until Wednesday.',
      'Meridian wants temperature logs with every delivery, can we do that?',
      'Demo for {customer} on Thursday at 14 h.',
      'Lost the Turin tender by 3 %.',
      'The campaign in Poland brings two leads a day.',
      'Kestrel asks for bicycles in boxes of 1.8 m.',
      'Reminder sent for the open invoice of {customer}.',
      'Negotiation with Polar Foods goes well, they want a fixed slot.',
      'Another lead by WhatsApp, tyres to Malmö.',
    ],
  },
]
