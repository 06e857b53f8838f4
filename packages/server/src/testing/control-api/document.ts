import * as contract from '@service/contract'
import { tags } from '@service/contract/docs'
import { controlDocs } from '@service/contract/docs/test-controls'
import { controlRoutes } from '@service/contract/test-controls'
import { version } from '../../core/version.ts'
import { schemasOf } from '../../openapi/schemas.ts'
import { describeSurface, type OpenApiDocument } from '../../openapi/surface-document.ts'

/** The test controls as OpenAPI 3.1. They are apart from the platform's own document, which promises nothing of them. */
export const createControlDocument = (): OpenApiDocument =>
  describeSurface({
    info: { title: 'Test controls', version, description: 'What a test in any language can ask of the platform.' },
    servers: [{ url: '/', description: 'This server. The test controls are under /admin/v1/test.' }],
    tags: tags.test,
    routes: controlRoutes,
    docs: controlDocs,
    schemas: schemasOf(contract),
  })
