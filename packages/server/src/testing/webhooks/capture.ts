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

/** The events that an inbox captures, and its responses. */
export interface WebhookCaptureOptions {
  /** The only workspace to capture; by default all, including later ones. */
  readonly workspace?: number | undefined
  /** The response when `respondWith` has none left; defaults to 200. */
  readonly respond?: InboxResponse | undefined
}

export interface CaptureParts {
  readonly app: App
  readonly hub: DeliveryHub
  settled(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
}

interface SubscriptionRef {
  readonly workspaceId: number
  readonly id: number
}

const maxLogged = 1000

/** Subscribes an inbox. The subscription starts before this returns, so that later writes are captured. */
export function capture(
  parts: CaptureParts,
  types: EventPattern | readonly EventPattern[] = '*',
  options: WebhookCaptureOptions = {},
): Inbox {
  requireKnown(options, ['workspace', 'respond'], '`capture`')
  const { workspace, respond = 200 } = options
  const { app, hub } = parts
  const events = toPatterns(types)
  const secret = newSigningSecret(app.ids)
  const url = `http://${hub.nextInboxName()}${inboxDomain}/`
  const subscriptions: SubscriptionRef[] = []
  let isReset = false
  const explainTimeout = (arrivals: readonly Arrival[]) => explain(parts, arrivals)
  const inbox = createInboxStore({ secret, clock: app.clock, respond, explain: explainTimeout })
  const settings = { url, events, standard_webhooks: true, description: 'Captured by a test' }

  async function subscribe(app: TxApp, workspaceId: number): Promise<void> {
    const { id } = await createSubscription(app, { workspace_id: workspaceId, ...settings }, { secret })
    app.store.afterCommit(() => subscriptions.push({ workspaceId, id }))
  }
  const ready = inTransaction(app, async (app) => {
    const workspaces = workspace === undefined ? await listWorkspaces(app) : [await getWorkspace(app, workspace)]
    for (const { id } of workspaces) await subscribe(app, id)
  })
  hub.track(ready)
  ready.catch((fault: Error) => inbox.close(fault)) // calls waiting for an event reject with this error
  const removeInbox = hub.addInbox({
    url,
    arrivals: () => inbox.arrivals,
    ...(workspace === undefined ? { workspaceCreated: subscribe } : {}),
    close(reason) {
      isReset = true // the database was replaced, and others may get these ids
      inbox.close(reason)
    },
  })
  const removeReceiver = hub.receivers.add(url, inbox.receive)

  async function close(): Promise<void> {
    removeInbox()
    removeReceiver()
    inbox.close(new ApiError('conflict', 'The inbox is closed.'))
    await ready.catch(() => undefined)
    if (!isReset) await inTransaction(app, (app) => unsubscribe(app, subscriptions.splice(0), url))
  }

  return {
    url,
    secret,
    ready,
    // The overloads ensure the event type.
    next: (async (type: EventPattern = '*', options: NextOptions = {}) => {
      requireKnown(options, ['timeout'], '`next`')
      return inbox.next(type, options.timeout ?? 5000)
    }) as Inbox['next'],
    all: () => [...inbox.verified],
    arrivals: () => [...inbox.arrivals],
    respondWith: inbox.respondWith,
    async deliveries() {
      await ready
      await parts.settled()
      return (await Promise.all(subscriptions.map((ref) => readLog(parts, ref)))).flat()
    },
    close,
    [Symbol.dispose]: () => hub.track(close()),
    [Symbol.asyncDispose]: close,
  }
}

/** After loading a state, another subscription may have one of these ids. */
async function unsubscribe(app: TxApp, refs: readonly SubscriptionRef[], url: string): Promise<void> {
  for (const ref of refs) {
    const found = await getSubscription(app, ref).catch(() => undefined)
    if (found?.url === url) await deleteSubscription(app, ref)
  }
}

async function readLog(
  { app }: CaptureParts,
  { workspaceId, id: subscriptionId }: SubscriptionRef,
): Promise<LoggedDelivery[]> {
  const deliveries = await listDeliveries(app, { workspaceId, subscriptionId }, { limit: maxLogged })
  return Promise.all(
    deliveries.toReversed().map(async ({ id, uuid, event, state, next_attempt_at }) => ({
      deliveryId: uuid,
      workspace: workspaceId,
      event,
      state,
      nextAttemptAt: next_attempt_at,
      attempts: (await listAttempts(app, { workspaceId, id })).reverse(),
    })),
  )
}

/** The received requests and the pending work, for error messages. */
async function explain({ app, nextDueAt }: CaptureParts, arrivals: readonly Arrival[]): Promise<string> {
  const lines = arrivals.map(
    ({ type, attempt, answer, refused }) =>
      `  ${type}, attempt ${attempt}: ${refused === undefined ? '' : `rejected as ${refused}, `}answered ${answer}`,
  )
  const received = lines.length === 0 ? 'Nothing was received.' : ['Received:', ...lines].join('\n')
  const dueAt = await nextDueAt()
  if (dueAt === undefined || dueAt <= app.clock.now()) return received
  const due = new Date(dueAt / 1000).toISOString()
  return `${received}\nThe next work is due at ${due}: use server.clock.advance(…).`
}
