import type { Micros } from '../../clock.ts'
import type { App, TxApp } from '../../context.ts'
import { inboxDomain } from '../../delivery/receivers.ts'
import { listAttempts, listDeliveries } from '../../modules/webhooks/log-service.ts'
import { createSubscription, getSubscription } from '../../modules/webhooks/service.ts'
import { newSigningSecret } from '../../modules/webhooks/signing-secret.ts'
import { deleteSubscription } from '../../modules/webhooks/switch-service.ts'
import { listWorkspaces } from '../../modules/workspaces/service.ts'
import { inTransaction } from '../../store/transaction.ts'
import type { Answer } from './answer.ts'
import type { Arrival } from './captured-event.ts'
import type { Inbox, LoggedDelivery, NextOptions } from './inbox.ts'
import { createLetterbox } from './letterbox.ts'
import { type EventPattern, toPatterns } from './patterns.ts'
import type { PostRoom } from './post-room.ts'

export interface CaptureOptions {
  /** The only workspace whose events are captured; else those of all, also of workspaces that are made later. */
  readonly workspace?: number | undefined
  /** What is answered unless `respondWith` says otherwise: 200. */
  readonly respond?: Answer | undefined
}

/** What a server has for it. */
export interface CaptureParts {
  readonly app: App
  readonly room: PostRoom
  settled(): Promise<void>
  nextDueAt(): Promise<Micros | undefined>
}

interface Place {
  readonly workspaceId: number
  readonly id: number
}

const mostLogged = 1000

/** Subscribes a letterbox. All of it is begun before this returns, so that what is written next comes after it. */
export function capture(
  parts: CaptureParts,
  types: EventPattern | readonly EventPattern[] = '*',
  { workspace, respond = 200 }: CaptureOptions = {},
): Inbox {
  const { app, room } = parts
  const events = toPatterns(types)
  const secret = newSigningSecret(app.ids)
  const url = `http://${room.nextName()}${inboxDomain}/`
  const places: Place[] = []
  let isOver = false
  const letterbox = createLetterbox({ secret, clock: app.clock, respond, explain: (came) => explain(parts, came) })
  const settings = { url, events, standard_webhooks: true, description: 'Captured by a test' }

  async function subscribe(app: TxApp, workspaceId: number): Promise<void> {
    const { id } = await createSubscription(app, { workspace_id: workspaceId, ...settings }, { secret })
    app.store.afterCommit(() => places.push({ workspaceId, id }))
  }
  const ready = inTransaction(app, async (app) => {
    const wanted = workspace === undefined ? (await listWorkspaces(app)).map(({ id }) => id) : [workspace]
    for (const id of wanted) await subscribe(app, id)
  })
  room.busyWith(ready)
  ready.catch((fault: Error) => letterbox.close(fault)) // whoever waits for an event is told why none can come
  const leave = room.enter({
    ...(workspace === undefined ? { workspaceCreated: subscribe } : {}),
    close(reason) {
      isOver = true // the subscriptions go with their database, and others may get their numbers
      letterbox.close(reason)
    },
  })
  const remove = room.receivers.add(url, letterbox.take)

  async function close(): Promise<void> {
    leave()
    remove()
    letterbox.close(new Error('The inbox is closed.'))
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
    next: ((type: EventPattern = '*', { timeout = 5000 }: NextOptions = {}) =>
      letterbox.next(type, timeout)) as Inbox['next'],
    all: () => [...letterbox.taken],
    arrivals: () => [...letterbox.arrivals],
    respondWith: letterbox.respondWith,
    async deliveries() {
      await ready
      await parts.settled()
      return (await Promise.all(places.map((place) => logOf(parts, place)))).flat()
    },
    close,
    [Symbol.dispose]: () => room.busyWith(close()),
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
