import { useService } from '@service/server/testing'
import { heldCases, noteEnd } from './held-cases.cjs'

// Every test fails at its limit, and then the run must end by itself. The runners provide the names that are not imported.

const service = useService({}, { beforeEach, afterEach, afterAll })
afterEach(noteEnd)

for (const { name, wait } of heldCases) test(name, () => wait(service.server), 1000)
