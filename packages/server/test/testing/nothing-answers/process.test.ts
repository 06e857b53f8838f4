import { expect, test } from 'vitest'
import { fetchLikeNetwork } from '../../../src/testing/fetch-like-network.ts'
import { testNothingAnswers } from './cases.ts'

testNothingAnswers(({ fetch, origin }) => ({ fetch, origin }))

test("without a signal, the request ends at undici's limit for headers", async () => {
  const silent = fetchLikeNetwork(() => new Promise(() => undefined), 1)
  await expect(silent(new Request('https://service.test'))).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
  })
})
