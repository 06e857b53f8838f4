import type { App, TxApp } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import type { SendInterceptor } from '../../delivery/dispatch/send.ts'
import { postpone } from '../../delivery/redelivery/redelivery.ts'
import type { Arrival } from './captured-event.ts'
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts'
import { createInProcessReceivers, type InProcessReceivers } from './in-process-receivers.ts'

/** Where a server's deliveries pass on their way out, as far as a test has a hand in it. */
export interface DeliveryHub {
  readonly receivers: InProcessReceivers
  readonly deliveryFaults: DeliveryFaults
  readonly interceptSend: SendInterceptor
  /** Takes part until what it gives back is called. */
  subscribe(guest: Listener): () => void
  /** Has `quiet` wait for this too. */
  track(work: Promise<unknown>): void
  /** Resolves when all inboxes that were asked for are there, or gone. */
  whenIdle(): Promise<void>
  /** Those that are open, in the order in which they were opened. */
  inboxes(): readonly OpenInbox[]
  /** A name that no inbox of this server has had. */
  nextName(): string
  workspaceCreated(app: TxApp, workspaceId: number): Promise<void>
  /** Breaks off what is under way, so that nobody has to wait for it. */
  abortAll(): void
  /** Forgets everything. */
  clear(): void
}

/** An inbox as whoever looks at the server sees it. */
export interface OpenInbox {
  readonly url: string
  arrivals(): readonly Arrival[]
}

/** Somebody who wants to be told. */
interface Listener {
  readonly inbox?: OpenInbox
  readonly workspaceCreated?: (app: TxApp, workspaceId: number) => Promise<void>
  readonly close: (reason: Error) => void
}

export function createDeliveryHub({ app, seed }: { readonly app: () => App; readonly seed: string }): DeliveryHub {
  const receivers = createInProcessReceivers()
  const deliveryFaults = createDeliveryFaults({
    seed,
    postpone: ({ workspaceId, delivery }, by) => postpone(app(), { workspaceId, id: delivery.id }, by),
  })
  const guests = new Set<Listener>()
  const underWay = new Set<Promise<unknown>>()
  let named = 0
  return {
    deliveryFaults,
    receivers,
    interceptSend: (context, send) =>
      deliveryFaults.interceptSend(context, (request) => {
        const { clock, config } = app()
        return receivers.deliver(request, { timeoutMs: config.deliveryTimeoutMs, clock }) ?? send(request)
      }),
    subscribe(guest) {
      guests.add(guest)
      return () => void guests.delete(guest)
    },
    track(work) {
      const done = work.catch(() => undefined).finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async whenIdle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    inboxes: () => [...guests].flatMap(({ inbox }) => inbox ?? []),
    nextName() {
      named += 1
      return `inbox-${named}`
    },
    async workspaceCreated(app, workspaceId) {
      for (const guest of guests) await guest.workspaceCreated?.(app, workspaceId)
    },
    abortAll() {
      deliveryFaults.clear()
      receivers.shut()
      for (const guest of guests)
        guest.close(new ApiError('conflict', 'The inbox is closed: the server was reset or has closed.'))
    },
    clear() {
      named = 0
      guests.clear()
      receivers.clear()
    },
  }
}
