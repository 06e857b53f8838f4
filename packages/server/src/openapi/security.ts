import { deviceSecretHeader, type Route, type Scope, scopes, webhookSecretHeader } from '@service/contract'
import type { ZodOpenApiSecuritySchemeObject } from 'zod-openapi'

const scopeTable = Object.entries(scopes)
  .map(([name, { grants, status }]) => `| \`${name}\` | ${grants} | ${status} |`)
  .join('\n')

export const securitySchemes: Record<string, ZodOpenApiSecuritySchemeObject> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'service_…',
    description: `An API token of the workspace, created in the dashboard under Integrations, API. It begins with \`service_\`, belongs to one workspace and carries scopes.\n\n| Scope | Grants | Status |\n|---|---|---|\n${scopeTable}`,
    'x-scopes': scopes,
  },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: webhookSecretHeader,
    description: 'The secret of one inbound webhook, shown once when it is issued.',
  },
  deviceSecret: {
    type: 'apiKey',
    in: 'header',
    name: deviceSecretHeader,
    description: "One attendance device's own secret, in place of the workspace's.",
  },
}

type Requirement = Record<string, string[]>

const webhookSecret: Requirement = { webhookSecret: [] }

/** The credentials of the inbound routes (§5); a route that is not listed needs none. */
const inbound: Readonly<Record<string, { accepts: Requirement[]; scope?: Scope }>> = {
  'errors.report': { accepts: [webhookSecret, { bearer: ['tickets:write'] }], scope: 'tickets:write' },
  'attendance.punch': { accepts: [webhookSecret, { deviceSecret: [] }] },
  'leads.capture': { accepts: [webhookSecret] },
}

/** The scope that a bearer token needs on this route, if the route takes one. */
export function requiredScope(route: Route): Scope | undefined {
  return route.scope ?? inbound[route.operation]?.scope
}

/** Alternatives: any one of them opens the route. None at all means that it is open. */
export function securityOf(route: Route): Requirement[] {
  if (route.scope !== undefined) return [{ bearer: [route.scope] }]
  return inbound[route.operation]?.accepts ?? []
}
