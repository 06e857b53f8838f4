import { expect, test } from 'vitest'
import { groupCommit } from '../../src/store/group-commit.ts'
import type { Durability } from '../../src/store/store.ts'

/** A writer that only remembers how durable each of its commits had to be. */
function rememberingWriter() {
  const commits: Durability[] = []
  let wanted: Durability = 'now'
  const group = groupCommit({
    inTransaction: false,
    prepareFor: (durability) => {
      wanted = durability
    },
    run: (statement) => {
      if (statement === 'commit') commits.push(wanted)
    },
  })
  return { commits, group }
}

const work = async () => undefined

test('a commit waits for the disk unless all who share it can do without', async () => {
  const { commits, group } = rememberingWriter()
  await group.submit(work, 'soon')
  await Promise.all([group.submit(work, 'soon'), group.submit(work, 'soon')])
  await Promise.all([group.submit(work, 'soon'), group.submit(work)])
  await group.submit(work)
  expect(commits).toEqual(['soon', 'soon', 'now', 'now'])
})
