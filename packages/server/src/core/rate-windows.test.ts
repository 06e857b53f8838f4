import { expect, test } from 'vitest'
import { rateWindows } from './rate-windows.ts'

test('deletes expired windows without scanning all windows on each request', () => {
  let now = 0
  let looked = 0
  const windows = rateWindows(() => {
    looked += 1
    return now
  }, 1000)
  for (let count = 0; count < 1000; count += 1) windows.hit(`address:${count}`)
  now = 60_000
  windows.hit('address:new')
  expect(windows.peek('address:0')).toBeUndefined()
  expect(looked).toBe(1002)
})

test('evicts the oldest window when the limit is reached', () => {
  let now = 0
  const windows = rateWindows(() => now, 3)
  for (const key of ['a', 'b', 'c', 'd']) {
    now += 1
    windows.hit(key)
  }
  expect(['a', 'b', 'c', 'd'].map((key) => windows.peek(key)?.hits)).toEqual([undefined, 1, 1, 1])
})

test('starts a new window after the clock was set back', () => {
  let now = 3_600_000
  const windows = rateWindows(() => now)
  windows.hit('a')
  now = 0
  expect(windows.hit('a')).toEqual({ hits: 1, endsInMs: 60_000 })
})
