import { ErrorBody } from '@service/contract'
import * as z from 'zod/mini'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { toPlainSchema } from '../../openapi/plain-schema.ts'
import { version } from '../../version.ts'
import { testBasePath, type Verb } from './verb.ts'

const anyJson = z.looseObject({ data: z.unknown() })
const bytes = { schema: { type: 'string', format: 'binary' } } as const

/** The test controls as OpenAPI 3.1. They are apart from the platform's own document, which promises nothing of them. */
export function describeVerbs(verbs: readonly Verb[]) {
  const paths: ZodOpenApiPathsObject = {}
  for (const verb of verbs) {
    const path = `${testBasePath}${verb.path}`
    paths[path] = { ...paths[path], [verb.method.toLowerCase()]: toOperation(verb) }
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Test controls', version, description: 'What a test in any language can ask of the platform.' },
      security: [{ admin: [] }],
      paths,
      components: { securitySchemes: { admin: { type: 'http', scheme: 'bearer' } } },
    },
    { override: toPlainSchema },
  )
}

function toOperation(verb: Verb): ZodOpenApiOperationObject {
  const names = [...verb.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const path = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  return {
    operationId: operationId(verb),
    summary: verb.says,
    ...(names.length > 0 || verb.query !== undefined
      ? { requestParams: { path, ...(verb.query === undefined ? {} : { query: verb.query }) } }
      : {}),
    ...requestOf(verb),
    responses: {
      ...(verb.gives === 'bytes'
        ? { 200: { description: 'The bytes.', content: { 'application/octet-stream': bytes } } }
        : { 200: { description: 'Done.', content: { 'application/json': { schema: anyJson } } } }),
      204: { description: 'Done; there is nothing to tell.' },
      '4XX': { description: 'What is wrong, in words.', content: { 'application/json': { schema: ErrorBody } } },
    },
  }
}

function requestOf({ body, takes }: Verb): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (takes === 'bytes') return { requestBody: { required: true, content: { 'application/octet-stream': bytes } } }
  return body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: body } } } }
}

/** `POST /clock/advance` → `clockAdvance`. */
const operationId = ({ method, path }: Verb) => {
  const words = path.replaceAll(/[{}]/g, '').split('/').filter(Boolean)
  const verbed = method === 'POST' ? words : [method.toLowerCase(), ...words]
  return verbed.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}
