import { expect, test } from 'vitest'
import { fairQueue } from './fair-queue.ts'

/** Works that end when they are told to, and the order in which they began. */
function recording(maxWaiting: number) {
  const queue = fairQueue({ slots: 1, maxWaiting, refusal: () => new Error('Too many.') })
  const began: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const enter = (caller: string) =>
    void queue
      .run(caller, () => {
        began.push(caller)
        return new Promise<void>((end) => ends.push(end))
      })
      .catch(() => refused.push(caller))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    enter,
    began,
    refused,
    async runAll() {
      await settle()
      for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
        end()
        await settle()
      }
    },
  }
}

test('lets callers take turns', async () => {
  const { enter, began, runAll } = recording(10)
  for (const caller of ['a', 'a', 'a', 'a', 'b', 'c', 'c']) enter(caller)
  await runAll()
  expect(began).toEqual(['a', 'a', 'b', 'c', 'a', 'c', 'a'])
})

test('refuses a work of the caller with most of them when it is full, and never the first of another', async () => {
  const { enter, began, refused, runAll } = recording(3)
  for (const caller of ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'c']) enter(caller)
  await runAll()
  expect(refused.toSorted()).toEqual(['a', 'a', 'a', 'c'])
  expect(began).toEqual(['a', 'a', 'b', 'c'])
})

test('refuses a further caller if each waiting one has a single work', async () => {
  const { enter, refused, runAll } = recording(2)
  for (const caller of ['a', 'b', 'c', 'd']) enter(caller)
  await runAll()
  expect(refused).toEqual(['d'])
})

test('continues after a work that fails', async () => {
  const queue = fairQueue({ slots: 1, maxWaiting: 1, refusal: () => new Error('Too many.') })
  const failing = queue.run('a', () => Promise.reject(new Error('planted')))
  const next = queue.run('b', async () => 'done')
  await expect(failing).rejects.toThrow('planted')
  expect(await next).toBe('done')
})
