import type { App, TxApp } from '../../context.ts'
import { ApiError } from '../../core/errors.ts'
import { postpone } from '../../delivery/redelivery/redelivery.ts'
import type { SendInterceptor } from '../../delivery/worker/send.ts'
import type { TestCoverage } from '../test-coverage.ts'
import type { Arrival } from './captured-event.ts'
import { createDeliveryFaults, type DeliveryFaults } from './delivery-faults.ts'
import { createInProcessReceivers, type InProcessReceivers } from './in-process-receivers.ts'

/** The test controls of a server's outgoing deliveries. */
export interface DeliveryHub {
  readonly receivers: InProcessReceivers
  readonly deliveryFaults: DeliveryFaults
  /** Delivers to a test receiver, or modifies the request. */
  readonly interceptSend: SendInterceptor
  /** Adds an inbox. Returns a function that removes it. */
  addInbox(inbox: OpenInbox): () => void
  /** Makes `whenIdle` wait for this work. */
  track(work: Promise<unknown>): void
  /** Resolves when all requested inboxes are subscribed or closed. */
  whenIdle(): Promise<void>
  /** The open inboxes in opening order. */
  inboxes(): readonly OpenInbox[]
  /** A host name that is unique on this server. */
  nextInboxName(): string
  workspaceCreated(app: TxApp, workspaceId: number): Promise<void>
  /** Replaces the database. Its identifiers repeat, so that what arrived before must not be taken for duplicates. */
  restoreWith(swapStore: () => Promise<void>): Promise<void>
  /** Aborts in-flight requests and closes all inboxes. */
  abortAll(): void
  /** Removes all receivers. */
  clear(): void
}

/** An inbox as seen by the rest of the server. */
export interface OpenInbox {
  readonly url: string
  arrivals(): readonly Arrival[]
  /** Subscribes the inbox in a new workspace. */
  workspaceCreated?(app: TxApp, workspaceId: number): Promise<void>
  /** Forgets all events, because the next ones may have their ids. */
  forgetEvents(): void
  /** Continues with the subscriptions of the restored state. If it has none, the inbox closes. */
  findSubscriptions(): Promise<void>
  close(reason: Error): void
}

interface DeliveryHubParts {
  readonly app: () => App
  readonly seed: string
  readonly coverage: TestCoverage
}

export function createDeliveryHub({ app, ...faultParts }: DeliveryHubParts): DeliveryHub {
  const receivers = createInProcessReceivers()
  const deliveryFaults = createDeliveryFaults({
    ...faultParts,
    postpone: ({ workspaceId, delivery }, by) => postpone(app(), { workspaceId, id: delivery.id }, by),
  })
  const inboxes = new Set<OpenInbox>()
  const pending = new Set<Promise<unknown>>()
  let named = 0
  return {
    deliveryFaults,
    receivers,
    interceptSend: (context, send) =>
      deliveryFaults.interceptSend(context, (request) => {
        const { clock, config } = app()
        return receivers.deliver(request, { timeoutMs: config.deliveryTimeoutMs, clock }) ?? send(request)
      }),
    addInbox(inbox) {
      inboxes.add(inbox)
      return () => void inboxes.delete(inbox)
    },
    track(work) {
      const done = work.catch(() => undefined).finally(() => pending.delete(done))
      pending.add(done)
    },
    async whenIdle() {
      while (pending.size > 0) await Promise.all(pending)
    },
    inboxes: () => [...inboxes],
    nextInboxName() {
      named += 1
      return `inbox-${named}`
    },
    async workspaceCreated(app, workspaceId) {
      for (const inbox of inboxes) await inbox.workspaceCreated?.(app, workspaceId)
    },
    async restoreWith(swapStore) {
      deliveryFaults.forgetDeliveries()
      // Before the restored state's own deliveries are sent.
      for (const inbox of inboxes) inbox.forgetEvents()
      await swapStore()
      for (const inbox of inboxes) await inbox.findSubscriptions()
    },
    abortAll() {
      deliveryFaults.clear()
      receivers.stop()
      for (const inbox of inboxes)
        inbox.close(new ApiError('conflict', 'The inbox is closed: the server was reset or has closed.'))
      inboxes.clear()
    },
    clear() {
      named = 0
      receivers.clear()
    },
  }
}
