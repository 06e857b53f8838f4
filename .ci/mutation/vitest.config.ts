import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

// A mutant of what runs while a module is loaded is judged by every test that the configuration names, so it names only
// those of the target.
const config: ViteUserConfig = {
  ...base,
  test: {
    ...base.test,
    include: JSON.parse(process.env['MUTATION_TESTS'] ?? '[]'),
    // No target is code of a store: one that is in memory is enough, and the quickest.
    env: { TEST_STORES: 'memory' },
    globalSetup: [],
  },
}

export default config
