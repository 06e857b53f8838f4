import type { ErrorStatus } from '@service/contract'
import { createAdminDocument } from '../src/openapi/admin-document.ts'
import { createOpenApiDocument } from '../src/openapi/document.ts'
import { markdownTable } from './markdown-table.ts'

/** The client's error and the remedy for each status. A missing status of the contract does not compile. */
const remedies: Readonly<Record<ErrorStatus, readonly [thrown: string, remedy: string]>> = {
  401: [
    'AuthenticationError',
    'Send `Authorization: Bearer …` with a valid token, or on a webhook, its secret. A retry does not help.',
  ],
  403: [
    'PermissionError',
    'Check that the token belongs to the workspace in the path and has the scope that the message names.',
  ],
  404: [
    'NotFoundError',
    'Compare the path with the reference. The base URL ends in `/api/v1`. On a webhook, enable the integration or create its secret.',
  ],
  409: ['ConflictError', 'The message names the existing resource. Update that one instead of creating another.'],
  412: ['ConflictError', 'Read the resource again, apply your change to it, and send the new `ETag`.'],
  413: ['PayloadTooLargeError', 'Send a smaller body. The message states the limit.'],
  415: ['UnsupportedMediaTypeError', 'Send JSON with `Content-Type: application/json`.'],
  422: [
    'ValidationError',
    '`errors` has messages for each field. Its keys are dotted paths such as `tags.0`. Correct the body. A retry does not help.',
  ],
  429: ['RateLimitError', 'Wait the seconds in `Retry-After`. The client does this automatically.'],
  500: [
    'ServerError',
    'An error of the platform. Find it in the log by the `X-Request-Id` of the response. Retry only if that is safe.',
  ],
  503: [
    'ServerError',
    'The request had no effect. Retry after the seconds in `Retry-After`. The client does this automatically.',
  ],
}

type Documented = ReturnType<typeof createOpenApiDocument>

/** The descriptions of a status in the OpenAPI documents, without duplicates. */
function meanings(documents: readonly Documented[], status: string): string[] {
  const descriptions = documents.flatMap(({ paths = {} }) =>
    Object.values(paths)
      .flatMap((item) => [item.get, item.post, item.patch, item.put, item.delete])
      .map((operation) => operation?.responses?.[status])
      .map((response) => (response !== undefined && 'description' in response ? response.description : undefined)),
  )
  return [...new Set(descriptions.filter((description) => description !== undefined))]
}

/** The statuses of failures. */
export function errorsTable(): string {
  const documents = [createOpenApiDocument(), createAdminDocument()]
  const rows = Object.entries(remedies).map(([status, [thrown, remedy]]) => [
    status,
    `\`${thrown}\``,
    meanings(documents, status).join(' '),
    remedy,
  ])
  return markdownTable(['status', 'the client throws', 'meaning', 'remedy'], rows)
}
