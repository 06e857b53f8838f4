const { useService } = require('@service/server/testing')
const { heldCases, noteEnd } = require('./held-cases.cjs')

// held.test.mjs as CommonJS.

const service = useService()
afterEach(noteEnd)

for (const { name, wait } of heldCases) test(name, () => wait(service.server), 1000)
