import type * as contract from '@service/contract'
import { expectTypeOf, it } from 'vitest'
import type { EventName, EventOf, Payloads, WebhookEvent } from './index.ts'

/** The declared keys, without the index signature. */
type Keys<Shape> = keyof { [Key in keyof Shape as string extends Key ? never : Key]: Shape[Key] }

type Subject<Shape, Key extends PropertyKey> = Key extends keyof Shape ? Shape[Key] : never

it('has the events of the contract, with the same shapes', () => {
  expectTypeOf<EventName>().toEqualTypeOf<contract.EventName>()
  expectTypeOf<{ [Name in contract.EventName]: contract.EventOf<Name> }>().toExtend<Payloads>()
  expectTypeOf<{ [Name in EventName]: keyof Payloads[Name] }>().toEqualTypeOf<{
    [Name in EventName]: Keys<contract.EventOf<Name>>
  }>()
})

it('has the objects of the contract, with the same keys', () => {
  expectTypeOf<keyof Subject<Payloads['ticket.created'], 'ticket'>>().toEqualTypeOf<Keys<contract.TicketInEvent>>()
  expectTypeOf<keyof Subject<Payloads['task.created'], 'task'>>().toEqualTypeOf<Keys<contract.TaskInEvent>>()
  expectTypeOf<keyof Subject<Payloads['message.created'], 'message'>>().toEqualTypeOf<Keys<contract.MessageInEvent>>()
  expectTypeOf<keyof Subject<Payloads['project.updated'], 'project'>>().toEqualTypeOf<Keys<contract.ProjectInEvent>>()
})

it('narrows by type, and a switch over all types is complete', () => {
  const title = (event: WebhookEvent): string => {
    switch (event.type) {
      case 'ticket.created':
      case 'ticket.updated':
      case 'ticket.resolved':
        return event.payload.ticket.title
      case 'task.created':
      case 'task.updated':
        return event.payload.task.title
      case 'message.created':
        return event.payload.message.body
      case 'project.updated':
        return event.payload.project.name
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
