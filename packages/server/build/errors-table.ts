// Writes the tables of errors into docs/guides/errors.md. `node packages/server/build/errors-table.ts --write`
import { readFile, writeFile } from 'node:fs/promises'
import type { ErrorStatus } from '@service/contract'
import { createAdminDocument } from '../src/openapi/admin-document.ts'
import { createOpenApiDocument } from '../src/openapi/document.ts'

export const errorsPage = new URL('../../../docs/guides/errors.md', import.meta.url)

/** The page with the table as it has to be. */
export const withErrors = (markdown: string): string =>
  markdown.replace(/(<!-- refusals -->\n).*(<!-- \/refusals -->)/s, (_, begin, end) => `${begin}${table()}\n${end}`)

/** What to do, and what the client throws. A status that the contract gets and that is not here does not compile. */
const remedies: Readonly<Record<ErrorStatus, readonly [thrown: string, remedy: string]>> = {
  401: [
    'AuthenticationError',
    'Send `Authorization: Bearer …` with a token that is neither revoked nor expired; on a webhook, the secret that belongs to it. Repeating does not help.',
  ],
  403: [
    'PermissionError',
    'Compare the workspace of the path with that of the token, and its scopes with the one that the message names.',
  ],
  404: [
    'NotFoundError',
    'Compare the path with the reference; the base URL ends in `/api/v1`. On a webhook: switch the integration on, or have its secret made.',
  ],
  409: [
    'ConflictError',
    'The message says what it conflicts with. Read that, and change it in place of creating another.',
  ],
  412: ['ConflictError', 'Read it again, apply your change to what you read, and send it with the new `ETag`.'],
  413: ['PayloadTooLargeError', 'Send less: the message says how much is taken.'],
  415: ['UnsupportedMediaTypeError', 'Send JSON with `Content-Type: application/json`.'],
  422: [
    'ValidationError',
    '`errors` has sentences for each field; keys are dotted paths such as `tags.0`. Mend the body. Repeating does not help.',
  ],
  429: ['RateLimitError', 'Wait the seconds of `Retry-After`. The client does so by itself.'],
  500: [
    'ServerError',
    'A fault of the platform, which its log names with the `X-Request-Id` of the answer. What is safe to repeat may be repeated.',
  ],
  503: ['ServerError', 'Nothing was done. Repeat after the seconds of `Retry-After`; the client does so by itself.'],
}

type Documented = ReturnType<typeof createOpenApiDocument>

/** What a status means, in the words of the OpenAPI documents: one sentence, or several where surfaces differ. */
function meanings(documents: readonly Documented[], status: string): string[] {
  const said = documents.flatMap(({ paths = {} }) =>
    Object.values(paths)
      .flatMap((item) => [item.get, item.post, item.patch, item.put, item.delete])
      .map((operation) => operation?.responses?.[status])
      .map((response) => (response !== undefined && 'description' in response ? response.description : undefined)),
  )
  return [...new Set(said.filter((sentence) => sentence !== undefined))]
}

function table(): string {
  const documents = [createOpenApiDocument(), createAdminDocument()]
  const rows = Object.entries(remedies).map(
    ([status, [thrown, remedy]]) =>
      `| ${status} | \`${thrown}\` | ${meanings(documents, status).join(' ')} | ${remedy} |`,
  )
  return ['| status | the client throws | meaning | remedy |', '|---|---|---|---|', ...rows].join('\n')
}

if (process.argv.includes('--write')) await writeFile(errorsPage, withErrors(await readFile(errorsPage, 'utf8')))
