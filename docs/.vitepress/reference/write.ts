// Writes the reference of the HTTP interfaces and of the command line, from the OpenAPI documents and the commands.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createAdminDocument } from '../../../packages/server/src/openapi/admin-document.ts'
import { createOpenApiDocument } from '../../../packages/server/src/openapi/document.ts'
import { commandPage } from './command-page.ts'
import { recordEvents, recordOperations } from './examples.ts'
import { eventsPage, operationsPage, toDescription } from './operation-pages.ts'
import { toCollection } from './postman.ts'
import { sections } from './sections.ts'

const docs = new URL('../../', import.meta.url)

async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, docs)
  await mkdir(dirname(file.pathname), { recursive: true })
  await writeFile(file, text)
}

const [api, admin] = [createOpenApiDocument(), createAdminDocument()]
const [operations, events] = [await recordOperations(), await recordEvents()]

for (const section of [...sections.rest, ...sections.inbound])
  await write(`reference/${section.path}.md`, operationsPage(section, toDescription(api), operations))
for (const section of sections.outbound)
  await write(`reference/${section.path}.md`, eventsPage(section, toDescription(api), events))
for (const section of sections.admin)
  await write(`reference/${section.path}.md`, operationsPage(section, toDescription(admin), operations))

await write('reference/command-line.md', await commandPage())
await write('public/openapi.json', JSON.stringify(api))
await write('public/admin-openapi.json', JSON.stringify(admin))
await write('public/postman.json', await toCollection(api))
await write('public/admin-postman.json', await toCollection(admin))
await write(
  'reference/index.md',
  `# Reference

Every operation has an example that was executed when this page was built, on a server at \`http://127.0.0.1:8080\`.

## REST API and webhooks

[OpenAPI document](/openapi.json) · [Postman collection](/postman.json)

${api.info.description}

## Administration

[OpenAPI document](/admin-openapi.json) · [Postman collection](/admin-postman.json)

${admin.info.description}
`,
)
