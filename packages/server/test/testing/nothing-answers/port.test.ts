import { testNothingAnswers } from './cases.ts'

testNothingAnswers(async (server) => ({ fetch, origin: (await server.listen()).url }))
