import { expect, test } from 'vitest'
import { groupCommit, type WriterConnection } from '../../src/store/group-commit.ts'
import type { Durability } from '../../src/store/store.ts'

/** A writer that only remembers how durable each of its commits had to be, and whose time passes when it is told to. */
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

test('a commit waits for the disk unless all who share it can do without', async () => {
  const { commits, group } = rememberingWriter()
  await group.submit(work, { durability: 'soon' })
  await Promise.all([group.submit(work, { durability: 'soon' }), group.submit(work, { durability: 'soon' })])
  await Promise.all([group.submit(work, { durability: 'soon' }), group.submit(work)])
  await group.submit(work)
  expect(commits).toEqual(['soon', 'soon', 'now', 'now'])
})

test('a group that takes long is committed in parts, in order, and each waits for its own commit', async () => {
  const { commits, group, busyFor } = rememberingWriter()
  const seen = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      group.submit(async () => busyFor(12)).then(() => ({ index, commits: commits.length })),
    ),
  )
  expect(seen).toEqual([0, 1, 2, 3].map((index) => ({ index, commits: index + 1 })))
})

test('a group that takes long lets others have a turn before its commit', async () => {
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
