import { setupServer } from 'msw/node'
import { onTestFinished, vi } from 'vitest'
import { mswHandlers } from '../../../src/testing/entries/msw.ts'
import { type Connect, testNothingAnswers } from './cases.ts'

// MSW 3 reports every error of a handler, and aborts are errors here.
const msw = setupServer()
msw.events.on('unhandledException', () => undefined)
vi.spyOn(console, 'error').mockReturnValue(undefined)

const origin = 'https://api.example.com'

const connect: Connect = (server) => {
  msw.use(...mswHandlers(server, { origin }))
  msw.listen({ onUnhandledFrame: 'error' })
  onTestFinished(() => {
    msw.close()
    msw.resetHandlers()
  })
  return { fetch: (url, init) => fetch(url, init), origin }
}

testNothingAnswers(connect, { headersWaitForBody: true, endsBrokenStreams: true })
