import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { readErrorReports } from './read-error-reports.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const megabytesInUse = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1_000_000
}

const detail = 'a line of detail\n'.repeat(6_000)
const reportsOfAMegabyte = 10

/** Each names a unique file and is a hundred kilobytes long. */
const read = (number: number) =>
  readErrorReports({
    body: new TextEncoder().encode(
      JSON.stringify({ message: 'boom', stack: `Error: boom\n    at fn (/srv/app/cart-${number}.js:1:1)\n${detail}` }),
    ),
    headers: new Headers(),
  })

test('the cached names of a report do not keep the report in memory', () => {
  for (let number = 0; number < 100; number += 1) read(number)
  const before = megabytesInUse()
  for (let number = 100; number < 100 + 40 * reportsOfAMegabyte; number += 1) read(number)
  expect(megabytesInUse() - before).toBeLessThan(10)
})
