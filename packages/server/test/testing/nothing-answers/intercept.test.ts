import { testNothingAnswers } from './cases.ts'

const origin = 'https://api.example.com'

testNothingAnswers((server) => {
  server.intercept(origin)
  return { fetch: (url, init) => fetch(url, init), origin }
})
