import { fullPath, type Route } from '@service/contract'
import type { RouteDocs } from '@service/contract/route-docs'
import type * as z from 'zod/mini'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { headersOf } from './headers.ts'
import { toOperation } from './operation.ts'
import { parametersIn } from './parameters.ts'
import { toPlainSchema } from './plain-schema.ts'
import { securitySchemesOf } from './security.ts'

export type OpenApiDocument = ReturnType<typeof createDocument>

/** What the document of a surface is made of besides its routes. */
export interface SurfaceDescription {
  readonly info: ZodOpenApiObject['info']
  readonly servers: NonNullable<ZodOpenApiObject['servers']>
  /** The sections, with a sentence each. */
  readonly tags: Readonly<Record<string, string>>
  readonly routes: readonly Route[]
  readonly docs: Readonly<Record<string, RouteDocs>>
  /** Schemas that the document names, so that a code generator gives them these names. Unused ones are left out. */
  readonly schemas: Readonly<Record<string, z.ZodMiniType>>
  readonly webhooks?: ZodOpenApiObject['webhooks']
  readonly parameters?: NonNullable<ZodOpenApiObject['components']>['parameters']
}

/** A surface as OpenAPI 3.1, made from its routes. */
export function describeSurface({ routes, docs, schemas, ...surface }: SurfaceDescription): OpenApiDocument {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { ...surface.info, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [...surface.servers],
      tags: Object.entries(surface.tags).map(([name, description]) => ({ name, description })),
      paths: toPaths(routes, docs),
      ...(surface.webhooks === undefined ? {} : { webhooks: surface.webhooks }),
      components: {
        schemas,
        parameters: { ...parametersIn(routes), ...surface.parameters },
        headers: headersOf(routes),
        securitySchemes: securitySchemesOf(routes),
      },
    },
    { override: toPlainSchema },
  )
  leaveOutUnused(document)
  return document
}

function toPaths(routes: readonly Route[], docs: Readonly<Record<string, RouteDocs>>): ZodOpenApiPathsObject {
  const items: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = fullPath(route)
    const described = docs[route.operation]
    if (described === undefined) throw new TypeError(`The contract has no documentation of ${route.operation}.`)
    items[path] = { ...items[path], [route.method.toLowerCase()]: toOperation(route, described) }
  }
  return items
}

/** Again while something goes: a schema may be used by unused ones only. */
function leaveOutUnused(document: OpenApiDocument): void {
  const { schemas = {} } = document.components ?? {}
  const text = JSON.stringify(document)
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  for (const name of unused) delete schemas[name]
  if (unused.length > 0) leaveOutUnused(document)
}
