import type * as contract from '@service/contract'
import { expectTypeOf, it } from 'vitest'
import type { EventName, EventOf, Payloads, WebhookEvent } from './index.ts'

/** The declared keys, without the index signature. */
type Keys<Shape> = keyof { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] }

/** The declared keys of the object that each event is about. */
type ObjectKeys<Bodies extends Record<contract.EventName, object>> = {
  [Name in contract.EventName]: Keys<Bodies[Name][keyof Bodies[Name] & contract.EventResource]>
}

it('has the events of the contract, with the same shapes', () => {
  expectTypeOf<EventName>().toEqualTypeOf<contract.EventName>()
  expectTypeOf<{ [Name in contract.EventName]: contract.EventOf<Name> }>().toExtend<Payloads>()
  expectTypeOf<{ [Name in EventName]: keyof Payloads[Name] }>().toEqualTypeOf<{
    [Name in EventName]: Keys<contract.EventOf<Name>>
  }>()
})

it('has the objects of the contract, with the same keys', () => {
  expectTypeOf<ObjectKeys<Payloads>>().toEqualTypeOf<
    ObjectKeys<{ [Name in contract.EventName]: contract.EventOf<Name> }>
  >()
})

it('narrows by type, and a switch over the types of an event is complete', () => {
  const title = (event: EventOf<'ticket.created' | 'ticket.updated' | 'message.created' | 'unknown'>): string => {
    switch (event.type) {
      case 'ticket.created':
      case 'ticket.updated':
        return event.payload.ticket.title
      case 'message.created':
        return event.payload.message.body
      case 'unknown':
        return event.name ?? ''
    }
  }
  expectTypeOf(title).returns.toEqualTypeOf<string>()
  expectTypeOf<EventOf<'ticket.updated'>['payload']['changes']>().toExtend<Record<string, { from: unknown }>>()
  expectTypeOf<EventOf<'unknown'>['payload']>().toEqualTypeOf<unknown>()
})

it('rejects unknown event names at compile time', () => {
  const isNamed = (event: WebhookEvent) =>
    // @ts-expect-error there is no `ticket.create` event
    event.type === 'ticket.create'
  expectTypeOf(isNamed).returns.toEqualTypeOf<boolean>()
  // @ts-expect-error there is no `ticket.create` event
  expectTypeOf<EventOf<'ticket.create'>>().toEqualTypeOf<never>()
})
