import { afterEach, test } from 'node:test'
import { startForTests } from '@service/server/testing'
import { heldCases, noteEnd } from './held-cases.cjs'

// Every test fails, and the run must end at once. Run by runners.test.ts and `pnpm matrix`.

afterEach(noteEnd)

for (const { name, wait } of heldCases) {
  test(name, { timeout: 1000 }, async (t) => {
    const { server } = await startForTests(t)
    await wait(server)
  })
}
