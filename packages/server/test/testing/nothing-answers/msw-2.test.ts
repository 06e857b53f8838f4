import { setupServer } from 'msw-2/node'
import { onTestFinished, vi } from 'vitest'
import { mswHandlers } from '../../../src/testing/entries/msw.ts'
import { type Connect, testNothingAnswers } from './cases.ts'

// `mswHandlers` in a project with MSW 2.
vi.mock('msw', () => import('msw-2'))
vi.spyOn(console, 'error').mockReturnValue(undefined)

const msw = setupServer()
const origin = 'https://api.example.com'

const connect: Connect = (server) => {
  // The two majors' types differ inside; what `use` takes is the same.
  msw.use(...(mswHandlers(server, { origin }) as unknown as Parameters<typeof msw.use>))
  msw.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => {
    msw.close()
    msw.resetHandlers()
  })
  return { fetch: (url, init) => fetch(url, init), origin }
}

testNothingAnswers(connect, { ignoresCancel: true })
