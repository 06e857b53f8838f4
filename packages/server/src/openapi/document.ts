import { apiRoutes, apiVersion, eventNames, inboundRoutes } from '@service/contract'
import { apiDocs, tags } from '@service/contract/docs'
import { eventParameters } from './event-headers.ts'
import { toWebhook } from './event-operation.ts'
import { fieldNotes } from './field-notes.ts'
import { introduction } from './introduction.ts'
import { namedSchemas } from './named-schemas.ts'
import { describeSurface, type OpenApiDocument } from './surface-document.ts'

type Schemas = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>

/** The whole documented surface as OpenAPI 3.1, made from the contract. It is the same for every configuration. */
export function createOpenApiDocument(): OpenApiDocument {
  const document = describeSurface({
    info: {
      title: 'Workspace Platform',
      version: apiVersion,
      summary: 'REST API, inbound webhooks and outbound events of a work platform.',
      description: introduction,
    },
    servers: [
      { url: '/', description: 'This server. The REST API is under /api/v1, the inbound webhooks under /api.' },
    ],
    tags: tags.api,
    routes: [...apiRoutes, ...inboundRoutes],
    docs: apiDocs(),
    schemas: namedSchemas,
    webhooks: Object.fromEntries(eventNames.map((event) => [event, toWebhook(event)])),
    parameters: eventParameters,
  })
  annotate(document.components?.schemas ?? {})
  return document
}

/** Notes on fields are not in the schemas, because the client's bundle has those. */
function annotate(schemas: Schemas): void {
  for (const [name, notes] of Object.entries(fieldNotes)) {
    for (const [field, description] of Object.entries(notes)) {
      const component = schemas[name]
      const properties = typeof component === 'object' && 'properties' in component ? component.properties : undefined
      const schema = properties?.[field]
      if (schema === undefined)
        throw new TypeError(`openapi/field-notes.ts describes ${name}.${field}, which is not there.`)
      Object.assign(schema, { description })
    }
  }
}
