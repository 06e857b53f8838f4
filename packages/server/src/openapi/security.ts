import { deviceSecretHeader, type Route, type SecretKind, scopes, webhookSecretHeader } from '@service/contract'
import type { ZodOpenApiSecuritySchemeObject } from 'zod-openapi'

const scopeTable = Object.entries(scopes)
  .map(([name, { grants, status }]) => `| \`${name}\` | ${grants} | ${status} |`)
  .join('\n')

const securitySchemes: Record<string, ZodOpenApiSecuritySchemeObject> = {
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
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The admin token set by the operator (`adminToken`), a session token, or a personal access token. On routes with the scope `webhooks:manage` also an API token with that scope.',
  },
  deviceSecret: {
    type: 'apiKey',
    in: 'header',
    name: deviceSecretHeader,
    description: "The secret of one attendance device, instead of the workspace's.",
  },
}

type Requirement = Record<string, string[]>

const requirements: Readonly<Record<SecretKind, readonly Requirement[]>> = {
  webhook: [{ webhookSecret: [] }],
  device: [{ deviceSecret: [] }],
  // Each provider has its own scheme, which OpenAPI cannot express.
  provider: [],
}

/**
 * Alternatives: any one of them is sufficient. An empty list means that the route is public. Linters know scopes only for
 * OAuth, so the scope is in `x-required-scope`.
 */
export function securityOf({ secrets = [], scope, role }: Route): Requirement[] {
  return [
    ...secrets.flatMap((kind) => requirements[kind]),
    ...(scope === undefined ? [] : [{ bearer: [] }]),
    ...(role === undefined || role === 'public' ? [] : [{ adminToken: [] }]),
  ]
}

/** The security schemes used by these routes. */
export function securitySchemesOf(routes: readonly Route[]): Record<string, ZodOpenApiSecuritySchemeObject> {
  const used = new Set(routes.flatMap(securityOf).flatMap((requirement) => Object.keys(requirement)))
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)))
}
