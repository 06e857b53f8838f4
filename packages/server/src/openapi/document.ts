import { apiRoutes, apiVersion, eventNames, inboundRoutes } from '@service/contract'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { eventParameters } from './event-headers.ts'
import { toWebhook } from './event-operation.ts'
import { fieldNotes } from './field-notes.ts'
import { headers } from './headers.ts'
import { namedSchemas } from './named-schemas.ts'
import { fullPath, toOperation } from './operation.ts'
import { parameters } from './parameters.ts'
import { toPlainSchema } from './plain-schema.ts'
import { introduction, tags } from './prose.ts'
import { securitySchemes } from './security.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>
type Schemas = NonNullable<NonNullable<OpenApiDocument['components']>['schemas']>

/** The whole documented surface as OpenAPI 3.1, made from the contract. It is the same for every configuration. */
export function createOpenApiDocument(): OpenApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Workspace Platform',
        version: apiVersion,
        summary: 'REST API, inbound webhooks and outbound events of a work platform.',
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [
        { url: '/', description: 'This server. The REST API is under /api/v1, the inbound webhooks under /api.' },
      ],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: paths(),
      webhooks: Object.fromEntries(eventNames.map((event) => [event, toWebhook(event)])),
      components: {
        schemas: namedSchemas,
        parameters: { ...parameters, ...eventParameters },
        headers,
        securitySchemes,
      },
    } satisfies ZodOpenApiObject,
    { override: toPlainSchema },
  )
  annotate(document.components?.schemas ?? {})
  return document
}

function paths(): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {}
  for (const route of [...apiRoutes, ...inboundRoutes]) {
    const path = fullPath(route)
    items[path] = { ...items[path], [route.method.toLowerCase()]: toOperation(route) }
  }
  return items
}

/** Notes stand beside the schemas and not in them, because the contract is in the client's bundle too. */
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
