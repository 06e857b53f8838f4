import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/', import.meta.url).pathname

// Loaded on demand: for hooks, pacing, a logger, undocumented routes, and installed OpenTelemetry.
const loadedOnDemand = [
  '*/run-hooks.ts',
  '*/pacer.ts',
  '*/log-event.ts',
  '*/send-custom-request.ts',
  '@opentelemetry/api',
]
const gitDelivery = '*/git-delivery.ts'

/** The bundle for this line of code, without modules that are loaded on demand. */
async function bundled(code: string, onDemand: string[] = loadedOnDemand): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: source, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: onDemand,
    logLevel: 'error',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

async function gzipped(code: string, onDemand?: string[]): Promise<number> {
  const bytes = await bundled(code, onDemand)
  return bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length
}

it('fits in 19.5 kB, everything included', async () => {
  expect(await gzipped("import { createClient } from './index.ts'; console.log(createClient)")).toBeLessThanOrEqual(
    19_500,
  )
})

it.each([
  { name: 'createClient', entry: 'index', route: 'crm.leads.create', summary: 'Create a lead' },
  { name: 'createAdminClient', entry: 'admin', route: 'accounts.create', summary: 'Create an account' },
])('includes the routes of $name without their documentation', async ({ name, entry, route, summary }) => {
  const code = Buffer.from(await bundled(`import { ${name} } from './${entry}.ts'; console.log(${name})`)).toString()
  expect(code).toContain(route)
  expect(code).not.toContain(summary)
  expect(code).not.toContain('grace@fabrikam.test')
})

it('adds nothing to a bundle that does not use it', async () => {
  expect(await gzipped("import './index.ts'")).toBe(0)
})

it('adds only the errors to a bundle that uses only them', async () => {
  expect(await gzipped("export { RateLimitError } from './index.ts'")).toBeLessThanOrEqual(1_500)
})

const imports = (names: string) => `import { ${names} } from './inbound.ts'; console.log(${names})`

it('has an inbound client that fits in 13.1 kB, or 13.9 kB with captureErrors', async () => {
  expect(await gzipped(imports('createInboundClient'), [...loadedOnDemand, gitDelivery])).toBeLessThanOrEqual(13_100)
  expect(
    await gzipped(imports('createInboundClient, captureErrors'), [...loadedOnDemand, gitDelivery]),
  ).toBeLessThanOrEqual(13_900)
})

it('keeps zod out of the inbound client, even with Git deliveries', async () => {
  expect(await gzipped(imports('createInboundClient, captureErrors, toErrorReport'))).toBeLessThanOrEqual(14_900)
})
