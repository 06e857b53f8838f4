// Writes the API reference, as a server shows it at /docs, into the static files of the site.
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { docsPage, referenceScript, referenceStyles } from '../../packages/server/src/http/docs.ts'
import { compressScalar } from '../../packages/server/src/http/scalar.ts'
import { createOpenApiDocument } from '../../packages/server/src/openapi/document.ts'

const decompress = promisify(brotliDecompress)
const target = new URL('../public/api/', import.meta.url)

// The site has no platform that could receive requests.
const styles = `${referenceStyles}#reference .show-api-client-button { display: none }\n`

await mkdir(target, { recursive: true })
const files = {
  'index.html': docsPage({
    title: 'API reference',
    description: 'openapi.json',
    scalar: 'scalar.js',
    styles: 'reference.css',
    script: 'reference.js',
  }),
  'openapi.json': JSON.stringify(createOpenApiDocument()),
  'reference.css': styles,
  'reference.js': referenceScript,
  'scalar.js': await decompress(await compressScalar()),
}
for (const [name, content] of Object.entries(files)) await writeFile(new URL(name, target), content)
