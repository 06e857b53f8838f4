import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

const source = new URL('../src/', import.meta.url).pathname

/** Bytes that an application downloads for this line of code, without what is loaded when it is needed. */
async function gzipped(code: string, later: string[] = []): Promise<number> {
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
  const bytes = outputFiles[0]?.contents ?? new Uint8Array()
  return bytes.length === 0 ? 0 : gzipSync(bytes, { level: 9 }).length
}

it('fits in 17 kB, everything included', async () => {
  expect(await gzipped("import { createClient } from './index.ts'; console.log(createClient)")).toBeLessThanOrEqual(
    17_000,
  )
})

it('has errors that fit in 0.6 kB', async () => {
  expect(await gzipped("export * from './errors.ts'")).toBeLessThanOrEqual(600)
})

it('costs nothing where it is imported and not used', async () => {
  expect(await gzipped("import './index.ts'; import './errors.ts'")).toBe(0)
})

it('costs no more than the errors where only they are used', async () => {
  expect(await gzipped("export { RateLimitError } from './index.ts'")).toBeLessThanOrEqual(600)
})

const imports = (names: string) => `import { ${names} } from './inbound.ts'; console.log(${names})`
const gitDelivery = '*/git-delivery.ts'

it('has an inbound client that fits in 10 kB, and in 11 kB with what captures errors', async () => {
  expect(await gzipped(imports('createInboundClient'), [gitDelivery])).toBeLessThanOrEqual(10_000)
  expect(await gzipped(imports('createInboundClient, captureErrors'), [gitDelivery])).toBeLessThanOrEqual(11_000)
})

it('keeps zod out of the inbound client, playing a Git provider included', async () => {
  expect(await gzipped(imports('createInboundClient, captureErrors, toErrorReport'))).toBeLessThanOrEqual(12_000)
})
