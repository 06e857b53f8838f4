import { setupServer } from 'msw/node'
import { vi } from 'vitest'
import { testHandlers } from './msw-suite.ts'

// MSW 3 reports every error of a handler, and the faults here throw on purpose.
const msw = setupServer()
msw.events.on('unhandledException', () => undefined)
vi.spyOn(console, 'error').mockReturnValue(undefined)

testHandlers({
  listen: () => msw.listen({ onUnhandledFrame: 'error' }),
  close: () => msw.close(),
  use: (...handlers) => msw.use(...handlers),
  resetHandlers: () => msw.resetHandlers(),
  boundary: (act) => msw.boundary(act),
})
