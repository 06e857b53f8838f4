import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@service\/(contract|client|webhooks|server)$/, replacement: `${packages('')}$1/src/index.ts` },
      { find: /^@service\/(contract|client|webhooks|server)\/(.+)$/, replacement: `${packages('')}$1/src/$2.ts` },
    ],
  },
  test: {
    include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    globalSetup: ['packages/server/test/postgres.setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
