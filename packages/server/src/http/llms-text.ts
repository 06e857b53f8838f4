import { apiRoutes, eventNames, fullPath, inboundRoutes } from '@service/contract'

/** A summary of the platform for language models, in the format of llmstxt.org. */
export const llmsText = () => `# Workspace platform

> Tickets, tasks, projects, people and attendance, CRM and messages: a REST API with bearer tokens, webhooks in, webhooks out.

Every authenticated call sends \`Authorization: Bearer service_…\`, \`Accept: application/json\` and, with a body,
\`Content-Type: application/json\`. A token belongs to one workspace and has scopes. Errors are
\`{"message": string, "errors"?: {field: string[]}}\`. 120 requests a minute; 429 says \`Retry-After\`. A POST with an
\`Idempotency-Key\` may be sent again.

## Reference

- [OpenAPI 3.1](/openapi.json): every route, schema, error and webhook
- [Reference for people](/docs)

## Routes

${[...apiRoutes, ...inboundRoutes].map(toLine).join('\n')}

## Events that are sent

${eventNames.map((name) => `- ${name}`).join('\n')}

They are signed: \`X-Service-Signature\` is the HMAC-SHA256 of the raw body, lower-case hex, keyed with the subscription's secret.
`

function toLine(route: (typeof apiRoutes | typeof inboundRoutes)[number]): string {
  const scope = 'scope' in route ? ` (${route.scope})` : ''
  return `- \`${route.method} ${fullPath(route)}\`: ${route.operation}${scope}`
}
