const { writeFileSync } = require('node:fs')

// Requests that nothing answers, for tests that end at their limit. Used with every runner: CommonJS and ES modules can
// load this file.

const heldFaults = {
  hang: { connection: 'hang' },
  latency: { latency: '1h' },
  body: { bytesPerSecond: 0 },
  function: { respond: () => new Promise(() => undefined) },
}

const transports = {
  process: (server) => server.fetch('/livez'),
  intercept(server) {
    server.intercept('https://api.example.com')
    return fetch('https://api.example.com/livez')
  },
  async port(server) {
    const { url } = await server.listen()
    return fetch(`${url}/livez`)
  },
}

/** Each has a function that waits for a response of the server. */
exports.heldCases = Object.entries(transports).flatMap(([transport, send]) =>
  Object.entries(heldFaults).map(([kind, fault]) => ({
    name: `${kind}, ${transport}`,
    transport,
    fault,
    async wait(server) {
      server.faults.add(fault)
      await (await send(server)).text()
    },
  })),
)

/** Called after each test: the time of the last one is that of this file. */
exports.noteEnd = () => writeFileSync(process.env.LAST_TEST_ENDED ?? 'last-test-ended', '')
