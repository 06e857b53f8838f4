import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@service\/(contract|client|intake|webhooks|server)$/, replacement: `${packages('')}$1/src/index.ts` },
      { find: /^@service\/server\/(.+)$/, replacement: `${packages('server')}/src/testing/entries/$1.ts` },
      { find: /^@service\/(contract|client|intake|webhooks)\/(.+)$/, replacement: `${packages('')}$1/src/$2.ts` },
    ],
  },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'usual',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
        },
      },
      {
        // Proofs that kill, stop, and overrun real processes. They take minutes and need a machine to themselves.
        extends: true,
        test: {
          name: 'nightly',
          include: ['packages/*/proof/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 30 * 60_000,
        },
      },
    ],
    globalSetup: ['packages/server/test/postgres.setup.ts'],
    // Half of the work is PostgreSQL's and the disk's, so as many files run at once as there are processors.
    maxWorkers: '100%',
    testTimeout: 30_000,
    // How long a condition is waited for before it counts as never met. No test asks for speed.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 60_000,
  },
})
