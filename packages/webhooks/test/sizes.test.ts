import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundle } from './web-build.ts'

const core = "export { parse, sign, signSync, verify, verifySync, WebhookVerificationError } from './index.ts'"
const adapters = ['cloudflare', 'express', 'fastify', 'hono', 'koa', 'lambda', 'nest', 'next', 'node']

const sizeOf = async (contents: string, runtime: 'node' | 'web' = 'node') =>
  gzipSync(await bundle(contents, runtime), { level: 9 }).length

it.each(['node', 'web'] as const)('keeps the core small for %s', async (runtime) => {
  expect(await sizeOf(core, runtime)).toBeLessThanOrEqual(2600)
})

it.each(adapters)('keeps the adapter for %s small', async (adapter) => {
  const more = (await sizeOf(`${core}\nexport * as adapter from './${adapter}.ts'`)) - (await sizeOf(core))
  expect(more).toBeLessThanOrEqual(1250)
})

it('keeps everything together small', async () => {
  const all = ['index', 'dedupe', ...adapters].map((entry) => `export * as ${entry} from './${entry}.ts'`).join('\n')
  expect(await sizeOf(all)).toBeLessThanOrEqual(5600)
})

it('has nothing of Node in what runs elsewhere', async () => {
  const everywhere = ['index', 'dedupe', 'testing', ...adapters]
  const code = await bundle(everywhere.map((entry) => `export * as ${entry} from './${entry}.ts'`).join('\n'), 'web')
  expect(code).not.toMatch(/node:|\bBuffer\b|\bprocess\b|\brequire\b/)
  expect(code).toContain('crypto.subtle')
})
