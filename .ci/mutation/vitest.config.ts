import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

// Every configured test runs for a mutant of module-level code, so only the tests of the target are configured.
const config: ViteUserConfig = {
  ...base,
  test: {
    ...base.test,
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    // No target depends on the database, and the in-memory one is the fastest.
    env: { TEST_STORES: 'memory' },
    globalSetup: [],
  },
}

export default config
