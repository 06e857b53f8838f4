// Writes the pages of the HTTP interfaces: one for each section of the OpenAPI documents.
import type { OpenApiDocument } from '../../../packages/server/src/openapi/surface-document.ts'
import type { Exchange, Exchanges, RecordedRequest } from './examples.ts'
import { describe, fieldList, resolve, type Schema, type Schemas } from './schema-text.ts'
import type { Section } from './sections.ts'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>
type Examples = Readonly<Record<string, { readonly value: unknown }>>

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The parts of a document that the pages show. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly schemas: Schemas
  readonly parameters: Readonly<Record<string, Parameter>>
}

/** Our generator writes no other form than the interfaces above describe. */
export const toDescription = ({ paths = {}, webhooks = {}, components = {} }: OpenApiDocument): Description =>
  ({ schemas: {}, parameters: {}, ...components, paths, webhooks }) as never

/** A page with the operations of a section. */
export function operationsPage({ title, about }: Section, document: Description, exchanges: Exchanges): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(title))
      .map(([method, operation]) => toOperation({ method, path, operation }, document, exchanges)),
  )
  return [`# ${title}`, about, ...operations].join('\n\n')
}

interface Located {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function toOperation({ method, path, operation }: Located, document: Description, exchanges: Exchanges): string {
  const exchange = exchanges.get(`${method.toUpperCase()} ${path}`)
  if (exchange === undefined) throw new Error(`${operation.operationId} has no recorded example.`)
  return [
    `## ${operation.summary} {#${anchorOf(operation)}}`,
    `**${method.toUpperCase()}** \`${path}\``,
    operation.description ?? '',
    ...parameterList(operation.parameters ?? [], document),
    ...bodyOf(operation, document),
    `\`\`\`sh\n${toCurl(exchange)}\n\`\`\``,
    ...responseOf(exchange),
    ...responseFieldsOf(operation, exchange, document),
    ...errorsOf(operation),
  ].join('\n\n')
}

const anchorOf = ({ operationId }: Operation): string => operationId.replaceAll('.', '-').toLowerCase()

function parameterList(parameters: readonly Parameter[], document: Description): string[] {
  const lines = parameters
    .map(({ $ref, ...own }) => ($ref === undefined ? own : document.parameters[$ref.split('/').at(-1) ?? '']))
    .filter((parameter) => parameter !== undefined)
    .map(({ name, in: place, required = false, description, schema }) => {
      const described = { ...resolve(schema, document.schemas), ...(description === undefined ? {} : { description }) }
      return `- \`${name}\` (${place}): ${describe(described, document.schemas, required ? ['required'] : [])}`
    })
  return lines.length === 0 ? [] : ['**Parameters**', lines.join('\n')]
}

function bodyOf({ requestBody }: Operation, { schemas }: Description): string[] {
  const schema = requestBody?.content['application/json']?.schema
  const lines = schema === undefined ? [] : fieldList(schema, { schemas, marked: 'required' })
  return lines.length === 0 ? [] : ['**Body**', lines.join('\n')]
}

/** The request as a curl command, with its credential in a variable. */
export function toCurl({ method, path, headers, body }: Exchange): string {
  const hasBody = body !== ''
  const isDefault = method === (hasBody ? 'POST' : 'GET')
  const shown = Object.entries(headers).flatMap(([name, value]) => headerOf(name, value, path))
  return [
    `curl ${isDefault ? '' : `-X ${method} `}'http://127.0.0.1:8080${path}'`,
    ...shown.map((header) => `  -H ${header}`),
    ...(hasBody ? [`  -d ${quote(body)}`] : []),
  ].join(' \\\n')
}

/** Names as they are documented, without headers that curl sets. */
const headerNames: Readonly<Record<string, string>> = {
  'content-type': 'Content-Type',
  'idempotency-key': 'Idempotency-Key',
  'if-match': 'If-Match',
  'x-github-event': 'X-GitHub-Event',
}

function headerOf(name: string, value: string, path: string): string[] {
  if (name === 'authorization')
    return [`"Authorization: Bearer $${path.startsWith('/admin') ? 'ADMIN_TOKEN' : 'TOKEN'}"`]
  if (name === 'x-service-webhook-secret') return ['"X-Service-Webhook-Secret: $SECRET"']
  const shown = headerNames[name]
  return shown === undefined ? [] : [quote(`${shown}: ${value}`)]
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function responseOf({ status, contentType, response }: Exchange): string[] {
  const title = `title="Response: ${status}"`
  if (response === '') return [`Response: ${status}, without a body.`]
  if (contentType.includes('json') && !contentType.includes('ndjson'))
    return [`\`\`\`json ${title}\n${JSON.stringify(shorten(JSON.parse(response)), undefined, 2)}\n\`\`\``]
  if (!contentType.includes('ndjson')) return [`Response: ${status}, with the content type \`${contentType}\`.`]
  return [`\`\`\`json ${title}\n${response.split('\n', 2).join('\n')}\n\`\`\``]
}

const maxListLength = 2

/** Shows the first entries of a list. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxListLength).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]))
}

function responseFieldsOf({ responses }: Operation, { status }: Exchange, { schemas }: Description): string[] {
  const schema = responses[status]?.content?.['application/json']?.schema
  return details(
    'Fields of the response',
    schema === undefined ? [] : fieldList(schema, { schemas, marked: 'optional' }),
  )
}

function errorsOf({ responses }: Operation): string[] {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const lines = errors.flatMap(([status, { description, content }]) => [
    `- **${status}**: ${description}`,
    ...messagesOf(content).map((message) => `  - \`${message}\``),
  ])
  return details(`Errors: ${errors.map(([status]) => status).join(', ')}`, lines)
}

function messagesOf(content: Content = {}): string[] {
  const values = Object.values(content['application/json']?.examples ?? {}).map(({ value }) => value)
  return values.map((value) => String(Object(value).message ?? JSON.stringify(value)))
}

const details = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`::: details ${title}\n${lines.join('\n')}\n:::`]

/** A page with all events that the platform sends. */
export function eventsPage(
  { title, about }: Section,
  document: Description,
  requests: ReadonlyMap<string, RecordedRequest>,
): string {
  const events = Object.entries(document.webhooks).map(([event, { post }]) => {
    const request = requests.get(event)
    if (request === undefined) throw new Error(`${event} has no recorded example.`)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)
    return [
      `## ${event} {#${anchorOf(post)}}`,
      post.description ?? '',
      `\`\`\`http\nPOST /webhooks HTTP/1.1\n${headers.join('\n')}\n\n${JSON.stringify(JSON.parse(request.body), undefined, 2)}\n\`\`\``,
      ...bodyOf(post, document),
    ].join('\n\n')
  })
  const [first] = Object.values(document.webhooks)
  // Each example has the header with the name of its event, so only the other headers are listed.
  const shared = first?.post.parameters?.filter(({ $ref }) => $ref !== undefined) ?? []
  return [`# ${title}`, about, ...parameterList(shared, document), ...events].join('\n\n')
}
