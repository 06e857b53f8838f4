import type { EventPattern } from '@service/client/admin'
import type { App, TxApp } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { requireKnown } from '../../core/known-keys.ts'
import { listAttempts, listDeliveries } from '../../modules/webhooks/delivery-log-service.ts'
import { createSubscription, getSubscription, newSigningSecret } from '../../modules/webhooks/service.ts'
import { deleteSubscription } from '../../modules/webhooks/subscription-service.ts'
import { getWorkspace, listWorkspaces } from '../../modules/workspaces/service.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type Arrival, toPatterns } from './captured-event.ts'
import type { DeliveryHub } from './delivery-hub.ts'
import { inboxDomain } from './in-process-receivers.ts'
import type { Inbox, InboxResponse, LoggedDelivery, NextOptions } from './inbox.ts'
import { createInboxStore } from './inbox-store.ts'

/** What an inbox captures and how it answers. */
export interface CaptureOptions {
  /** The only workspace whose events are captured; else all, also later ones. */
  readonly workspace?: number | undefined
  /** What is answered unless `respondWith` says otherwise: 200. */
  readonly respond?: InboxResponse | undefined
}

/** What a server has for it. */
export interface CaptureParts {
  readonly app: App
  readonly hub: DeliveryHub
  settled(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
}

interface Place {
  readonly workspaceId: number
  readonly id: number
}

const mostLogged = 1000

/** Subscribes an inbox. All of it is begun before this returns, so that what is written next comes after it. */
export function capture(
  parts: CaptureParts,
  types: EventPattern | readonly EventPattern[] = '*',
  options: CaptureOptions = {},
): Inbox {
  requireKnown(options, ['workspace', 'respond'], '`capture`')
  const { workspace, respond = 200 } = options
  const { app, hub } = parts
  const events = toPatterns(types)
  const secret = newSigningSecret(app.ids)
  const url = `http://${hub.nextName()}${inboxDomain}/`
  const places: Place[] = []
  let isOver = false
  const inboxStore = createInboxStore({ secret, clock: app.clock, respond, explain: (came) => explain(parts, came) })
  const settings = { url, events, standard_webhooks: true, description: 'Captured by a test' }

  async function subscribe(app: TxApp, workspaceId: number): Promise<void> {
    const { id } = await createSubscription(app, { workspace_id: workspaceId, ...settings }, { secret })
    app.store.afterCommit(() => places.push({ workspaceId, id }))
  }
  const ready = inTransaction(app, async (app) => {
    const wanted = workspace === undefined ? await listWorkspaces(app) : [await getWorkspace(app, workspace)]
    for (const { id } of wanted) await subscribe(app, id)
  })
  hub.track(ready)
  ready.catch((fault: Error) => inboxStore.close(fault)) // whoever waits for an event is told why none can come
  const leave = hub.subscribe({
    inbox: { url, arrivals: () => inboxStore.arrivals },
    ...(workspace === undefined ? { workspaceCreated: subscribe } : {}),
    close(reason) {
      isOver = true // the subscriptions go with their database, and others may get their numbers
      inboxStore.close(reason)
    },
  })
  const remove = hub.receivers.add(url, inboxStore.take)

  async function close(): Promise<void> {
    leave()
    remove()
    inboxStore.close(new ApiError('conflict', 'The inbox is closed.'))
    await ready.catch(() => undefined)
    if (isOver) return
    await inTransaction(app, async (app) => {
      for (const place of places.splice(0)) if (await isAt(app, place, url)) await deleteSubscription(app, place)
    })
  }

  return {
    url,
    secret,
    ready,
    // The overloads promise the type of the event that was asked for.
    next: (async (type: EventPattern = '*', options: NextOptions = {}) => {
      requireKnown(options, ['timeout'], '`next`')
      return inboxStore.next(type, options.timeout ?? 5000)
    }) as Inbox['next'],
    all: () => [...inboxStore.taken],
    arrivals: () => [...inboxStore.arrivals],
    respondWith: inboxStore.respondWith,
    async deliveries() {
      await ready
      await parts.settled()
      return (await Promise.all(places.map((place) => logOf(parts, place)))).flat()
    },
    close,
    [Symbol.dispose]: () => hub.track(close()),
    [Symbol.asyncDispose]: close,
  }
}

/** After a state was loaded, somebody else may have its number. */
const isAt = (app: TxApp, place: Place, url: string): Promise<boolean> =>
  getSubscription(app, place).then(
    (subscription) => subscription.url === url,
    () => false,
  )

async function logOf({ app }: CaptureParts, { workspaceId, id: subscriptionId }: Place): Promise<LoggedDelivery[]> {
  const deliveries = await listDeliveries(app, { workspaceId, subscriptionId }, { limit: mostLogged })
  return Promise.all(
    deliveries.reverse().map(async ({ id, uuid, event, state, next_attempt_at }) => ({
      deliveryId: uuid,
      workspace: workspaceId,
      event,
      state,
      nextAttemptAt: next_attempt_at,
      attempts: (await listAttempts(app, { workspaceId, id })).reverse(),
    })),
  )
}

/** Where to look when an event did not come. */
async function explain({ app, nextDueAt }: CaptureParts, arrivals: readonly Arrival[]): Promise<string> {
  const came = arrivals.map(
    ({ type, attempt, answer, refused }) =>
      `\n  ${type}, attempt ${attempt}: ${refused === undefined ? '' : `refused as ${refused}, `}answered ${answer}`,
  )
  const dueAt = await nextDueAt()
  const isAhead = dueAt !== undefined && dueAt > app.clock.now()
  return [
    came.length === 0 ? 'Nothing came.' : `What came:${came.join('')}`,
    ...(isAhead
      ? [`\nSomething falls due at ${new Date(dueAt / 1000).toISOString()}: server.clock.advance(…) goes there.`]
      : []),
  ].join('')
}
