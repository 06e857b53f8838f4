import { expect, test } from 'vitest'
import { groupCommit, type WriterConnection } from '../../src/store/group-commit.ts'
import type { Durability } from '../../src/store/store.ts'

/** A writer that records the durability of each commit and whose clock is moved by hand. */
function rememberingWriter() {
  let nowMs = 0
  const commits: Durability[] = []
  let wanted: Durability = 'now'
  const connection: WriterConnection = {
    inTransaction: false,
    prepareFor: (durability) => {
      wanted = durability
    },
    run: (statement) => {
      if (statement === 'commit') commits.push(wanted)
    },
  }
  const group = groupCommit(connection, { stopwatchMs: () => nowMs })
  const busyFor = (ms: number) => {
    nowMs += ms
  }
  return { commits, group, busyFor }
}

const work = async () => undefined

test('a shared commit waits for the disk unless none of its transactions requires it', async () => {
  const { commits, group } = rememberingWriter()
  await group.submit(work, { durability: 'soon' })
  await Promise.all([group.submit(work, { durability: 'soon' }), group.submit(work, { durability: 'soon' })])
  await Promise.all([group.submit(work, { durability: 'soon' }), group.submit(work)])
  await group.submit(work)
  expect(commits).toEqual(['soon', 'soon', 'now', 'now'])
})

test('a long group commits in parts, in order, and each caller waits for its own commit', async () => {
  const { commits, group, busyFor } = rememberingWriter()
  const seen = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      group.submit(async () => busyFor(12)).then(() => ({ index, commits: commits.length })),
    ),
  )
  expect(seen).toEqual([0, 1, 2, 3].map((index) => ({ index, commits: index + 1 })))
})

test('a long group yields to the event loop before its commit', async () => {
  const { commits, group, busyFor } = rememberingWriter()
  let commitsAtTurn: number | undefined
  await group.submit(async () => {
    setImmediate(() => {
      commitsAtTurn = commits.length
    })
    busyFor(12)
  })
  expect([commitsAtTurn, commits.length]).toEqual([0, 1])
})
