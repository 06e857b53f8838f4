import type { EventPattern } from '@service/client/admin'
import type { App } from '../../context.ts'
import type { Micros } from '../../core/clock.ts'
import { ApiError } from '../../core/errors.ts'
import { requireKnown } from '../../core/known-keys.ts'
import { listAttempts, listDeliveries } from '../../modules/webhooks/delivery-log-service.ts'
import { newSigningSecret } from '../../modules/webhooks/service.ts'
import { toPatterns } from './captured-event.ts'
import type { DeliveryHub } from './delivery-hub.ts'
import { inboxDomain } from './in-process-receivers.ts'
import type { Inbox, InboxResponse, LoggedDelivery, NextOptions } from './inbox.ts'
import { createInboxStore } from './inbox-store.ts'
import { createInboxSubscriptions, type InboxSubscriptions } from './inbox-subscriptions.ts'

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
  const subscriptions = createInboxSubscriptions(app, { url, secret, events, workspace })
  let isReset = false
  const inbox = createInboxStore({ secret, clock: app.clock, respond, explain: (lines) => explain(parts, lines) })
  const ready = subscriptions.subscribeAll()
  hub.track(ready)
  ready.catch((fault: Error) => inbox.close(fault)) // calls waiting for an event reject with this error
  const removeInbox = hub.addInbox({
    url,
    arrivals: () => inbox.arrivals,
    ...(workspace === undefined ? { workspaceCreated: subscriptions.subscribe } : {}),
    forgetEvents: inbox.forgetEvents,
    async findSubscriptions() {
      await ready.catch(() => undefined)
      if (!(await subscriptions.findAgain())) end(restoredWithout())
    },
    close(reason) {
      isReset = true // the database was replaced, and others may get these ids
      end(reason)
    },
  })
  const removeReceiver = hub.receivers.add(url, inbox.receive)

  function end(reason: Error): void {
    removeInbox()
    removeReceiver()
    inbox.close(reason)
  }

  async function close(): Promise<void> {
    end(new ApiError('conflict', 'The inbox is closed.'))
    await ready.catch(() => undefined)
    if (!isReset) await subscriptions.remove()
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
      return (await Promise.all(subscriptions.refs.map((ref) => readLog(parts, ref)))).flat()
    },
    close,
    [Symbol.dispose]: () => hub.track(close()),
    [Symbol.asyncDispose]: close,
  }
}

const restoredWithout = () =>
  new ApiError(
    'conflict',
    'The inbox is closed: the restored state has no subscription for this inbox. Capture before you save the state, or again after you restore it.',
  )

async function readLog(
  { app }: CaptureParts,
  { workspaceId, id: subscriptionId }: InboxSubscriptions['refs'][number],
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
async function explain({ app, nextDueAt }: CaptureParts, lines: readonly string[]): Promise<string> {
  const received =
    lines.length === 0 ? 'Nothing was received.' : ['Received:', ...lines.map((line) => `  ${line}`)].join('\n')
  const dueAt = await nextDueAt()
  if (dueAt === undefined || dueAt <= app.clock.now()) return received
  const due = new Date(dueAt / 1000).toISOString()
  return `${received}\nThe next work is due at ${due}: use server.clock.advance(…).`
}
