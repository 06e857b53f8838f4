import * as contract from '@service/contract'
import { type EventName, eventNames, eventSchemas } from '@service/contract'
import type * as z from 'zod/mini'

/** The component that describes an event's body: `ticket.created` → `TicketCreatedEvent`. */
export function eventSchemaName(event: EventName): string {
  const words = event.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const isSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value

/** The schemas that modules export under a capital name. */
export const schemasOf = (...modules: readonly object[]): Record<string, z.ZodMiniType> =>
  Object.fromEntries(
    modules
      .flatMap((module) => Object.entries(module))
      .flatMap(([name, value]) => (/^[A-Z]/.test(name) && isSchema(value) ? [[name, value]] : [])),
  )

/**
 * Every schema that the contract exports under a capital name, and the seven event bodies. The document refers to them
 * by name, so that a code generator gives them the names that the client's types have.
 */
export const namedSchemas: Readonly<Record<string, z.ZodMiniType>> = {
  ...schemasOf(contract),
  ...Object.fromEntries(eventNames.map((event) => [eventSchemaName(event), eventSchemas[event]])),
}
