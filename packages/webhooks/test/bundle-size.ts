import { gzipSync } from 'node:zlib'
import { bundle } from './web-build.ts'

export const adapters = ['cloudflare', 'express', 'fastify', 'hono', 'koa', 'lambda', 'nest', 'next', 'node']

/** The smallest use: verification only. */
export const core = "export { verify } from './index.ts'"

/** Verification and the fetch handler. */
export const handler = "export { createWebhookHandler, verify } from './index.ts'"

export const withAdapter = (adapter: string) => `${handler}\nexport * as adapter from './${adapter}.ts'`

export const everything = ['index', 'dedupe', ...adapters]
  .map((entry) => `export * as ${entry} from './${entry}.ts'`)
  .join('\n')

/** Bytes after minifying and gzip -9. */
export const sizeOf = async (contents: string, runtime: 'node' | 'web'): Promise<number> =>
  gzipSync(await bundle(contents, runtime), { level: 9 }).length
