import type { Shape } from './check-shape.ts'
import type { InboundRoute } from './send-inbound.ts'

/** The fields of every ping response. */
export interface Ping {
  status: string
  message: string
  /** The workspace's id. */
  workspace: string
  /** Whether the integration is switched on. */
  configured: boolean
  supported_methods: string[]
}

const ping = {
  status: 'string',
  message: 'string',
  workspace: 'string',
  configured: 'boolean',
  supported_methods: 'array',
} as const

/** The GET of a webhook, with the fields of every ping and its own fields. */
export const pingRoute = (operation: string, path: string, more: Shape = {}): InboundRoute => ({
  operation,
  method: 'GET',
  path,
  responses: { 200: { ...ping, ...more } },
})
