import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { sourceAliases } from '../../vitest.config.ts'
import { repoRoot } from './repo.ts'

// Runs suites with edited sources, which add-endpoint.test.ts passes as a JSON file.

const edits = JSON.parse(readFileSync(process.env['EDITED_SOURCES'] ?? '', 'utf8')) as Record<string, string>

export default defineConfig({
  root: repoRoot,
  resolve: { alias: sourceAliases },
  plugins: [{ name: 'edited', enforce: 'pre', load: (id) => edits[id.slice(repoRoot.length)] ?? null }],
  test: {
    include: ['packages/server/test/**/*.test.ts', 'test/tooling/*.suite.ts'],
    globalSetup: ['packages/server/test/postgres.setup.ts'],
    isolate: false,
    testTimeout: 120_000,
  },
})
