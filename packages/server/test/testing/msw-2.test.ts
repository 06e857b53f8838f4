import { setupServer } from 'msw-2/node'
import { vi } from 'vitest'
import { testHandlers } from './msw-suite.ts'

// `mswHandlers` in a project with MSW 2.
vi.mock('msw', () => import('msw-2'))
vi.spyOn(console, 'error').mockReturnValue(undefined)

const msw = setupServer()

testHandlers({
  listen: () => msw.listen({ onUnhandledRequest: 'error' }),
  close: () => msw.close(),
  // The two majors' types differ inside; what `use` takes is the same.
  use: (...handlers) => msw.use(...(handlers as unknown as Parameters<typeof msw.use>)),
  resetHandlers: () => msw.resetHandlers(),
  boundary: (act) => msw.boundary(act),
})
