import type { App, TxApp } from '../../context.ts'
import type { Carry } from '../../delivery/carry.ts'
import { postpone } from '../../delivery/postpone.ts'
import { createReceivers, type Receivers } from '../../delivery/receivers.ts'
import { createDisorder, type Disorder } from './disorder.ts'

/** Where a server's deliveries pass on their way out, as far as a test has a hand in it. */
export interface PostRoom {
  readonly receivers: Receivers
  readonly disorder: Disorder
  readonly carry: Carry
  /** Takes part until what it gives back is called. */
  enter(guest: Guest): () => void
  /** Has `quiet` wait for this too. */
  busyWith(work: Promise<unknown>): void
  /** Resolves when all inboxes that were asked for are there, or gone. */
  quiet(): Promise<void>
  /** A name that no inbox of this server has had. */
  nextName(): string
  workspaceCreated(app: TxApp, workspaceId: number): Promise<void>
  /** Breaks off what is under way, so that nobody has to wait for it. */
  shut(): void
  /** Forgets everything. */
  clear(): void
}

/** Somebody who wants to be told. */
export interface Guest {
  readonly workspaceCreated?: (app: TxApp, workspaceId: number) => Promise<void>
  readonly close: (reason: Error) => void
}

export function createPostRoom({ app, seed }: { readonly app: () => App; readonly seed: string }): PostRoom {
  const receivers = createReceivers()
  const disorder = createDisorder({ seed, postpone: ({ delivery }, until) => postpone(app(), delivery.id, until) })
  const guests = new Set<Guest>()
  const underWay = new Set<Promise<unknown>>()
  let named = 0
  return {
    receivers,
    disorder,
    carry: disorder.carry,
    enter(guest) {
      guests.add(guest)
      return () => void guests.delete(guest)
    },
    busyWith(work) {
      const done = work.catch(() => undefined).finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async quiet() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    nextName() {
      named += 1
      return `inbox-${named}`
    },
    async workspaceCreated(app, workspaceId) {
      for (const guest of guests) await guest.workspaceCreated?.(app, workspaceId)
    },
    shut() {
      disorder.clear()
      receivers.shut()
      for (const guest of guests) guest.close(new Error('The inbox is closed: the server was reset or has closed.'))
    },
    clear() {
      named = 0
      guests.clear()
      receivers.clear()
    },
  }
}
