import type { Client } from '@service/client'
import type { InboundClient } from '@service/client/inbound'

/** The methods of a client and of its parts, as `resource.verb`. */
type MethodNames<Part> = {
  [Key in keyof Part & string]: Part[Key] extends (...input: never) => unknown
    ? Key
    : `${Key}.${MethodNames<Part[Key]>}`
}[keyof Part & string]

/** The operations of the REST API and of the inbound webhooks, as the clients call them: `tickets.create`, `git.send`. */
export type OperationName = MethodNames<Client> | MethodNames<InboundClient>
