import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/', import.meta.url).pathname

// Hooks bring ky along when the first call of a client that has some is made.
const hooks = '*/run-hooks.ts'
const gitDelivery = '*/git-delivery.ts'

/** What an application downloads for this line of code, without what is loaded when it is needed. */
async function bundled(code: string, later: string[] = [hooks]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: source, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: later,
    logLevel: 'error',
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

async function gzipped(code: string, later?: string[]): Promise<number> {
  const bytes = await bundled(code, later)
  return bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length
}

it('fits in 17.5 kB, everything included', async () => {
  expect(await gzipped("import { createClient } from './index.ts'; console.log(createClient)")).toBeLessThanOrEqual(
    17_500,
  )
})

it.each([
  { name: 'createClient', entry: 'index', route: 'crm.leads.create', summary: 'Create a lead' },
  { name: 'createAdminClient', entry: 'admin', route: 'accounts.create', summary: 'Create an account' },
])('has the routes of $name and not their documentation', async ({ name, entry, route, summary }) => {
  const code = Buffer.from(await bundled(`import { ${name} } from './${entry}.ts'; console.log(${name})`)).toString()
  expect(code).toContain(route)
  expect(code).not.toContain(summary)
  expect(code).not.toContain('grace@fabrikam.test')
})

it('has errors that fit in 1.5 kB', async () => {
  expect(await gzipped("export * from './errors.ts'")).toBeLessThanOrEqual(1_500)
})

it('costs nothing where it is imported and not used', async () => {
  expect(await gzipped("import './index.ts'; import './errors.ts'")).toBe(0)
})

it('costs no more than the errors where only they are used', async () => {
  expect(await gzipped("export { RateLimitError } from './index.ts'")).toBeLessThanOrEqual(1_500)
})

const imports = (names: string) => `import { ${names} } from './inbound.ts'; console.log(${names})`

it('has an inbound client that fits in 11.2 kB, and in 12.2 kB with what captures errors', async () => {
  expect(await gzipped(imports('createInboundClient'), [hooks, gitDelivery])).toBeLessThanOrEqual(11_200)
  expect(await gzipped(imports('createInboundClient, captureErrors'), [hooks, gitDelivery])).toBeLessThanOrEqual(12_200)
})

it('keeps zod out of the inbound client, playing a Git provider included', async () => {
  expect(await gzipped(imports('createInboundClient, captureErrors, toErrorReport'))).toBeLessThanOrEqual(13_000)
})
