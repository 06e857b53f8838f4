import { expect, test } from 'vitest'
import { listFiles, readRepoFile } from './repo.ts'

const workflows = listFiles('.github/workflows')

test.each(workflows)('%s takes every action by its commit, with its version beside it', (path) => {
  const used = readRepoFile(path)
    .split('\n')
    .filter((line) => line.includes('uses:'))
  expect(used).not.toEqual([])
  const pinned = /^ *(?:- )?uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
  expect(used.filter((line) => !pinned.test(line))).toEqual([])
})

test.each(workflows)('%s may read the repository and nothing else, unless a job says so', (path) => {
  expect(readRepoFile(path)).toContain('\npermissions:\n  contents: read\n')
})
