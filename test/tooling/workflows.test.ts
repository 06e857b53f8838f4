import { expect, test } from 'vitest'
import { listFiles, readRepoFile } from './repo.ts'

const workflows = listFiles('.github/workflows')

test.each(workflows)('%s pins every action to a commit, with its version in a comment', (path) => {
  const used = readRepoFile(path)
    .split('\n')
    .filter((line) => line.includes('uses:'))
  expect(used).not.toEqual([])
  const pinned = /^ *(?:- )?uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
  expect(used.filter((line) => !pinned.test(line))).toEqual([])
})

test.each(workflows)('%s has only read permission by default', (path) => {
  expect(readRepoFile(path)).toContain('\npermissions:\n  contents: read\n')
})

const jobsOf = (path: string) =>
  readRepoFile(path)
    .split('\njobs:\n')[1]
    ?.split(/\n(?= {2}(?:# |\w[\w-]*:))/) ?? []

test.each(workflows)('%s runs no repository code in jobs with an identity token', (path) => {
  const trusted = jobsOf(path).filter((job) => job.includes('id-token: write'))
  for (const job of trusted) expect(job).not.toMatch(/actions\/checkout|pnpm|npm (?:ci|install|exec|run)|npx|\.ci\//)
})

test('a release is built by one job and published by another, which is the only one with a credential', () => {
  const holdsCredential = /id-token: write|contents: write|secrets\.|github\.token|environment:/
  const [holder, ...others] = jobsOf('.github/workflows/release.yml').filter((job) => holdsCredential.test(job))
  expect(others).toEqual([])
  expect(holder).toMatch(/^ {2}publish:\n {4}needs: build\n[\s\S]*id-token: write[\s\S]*npm publish/)
})

test.each(workflows)('%s uses no stored secret, because npm trusts the workflow itself', (path) => {
  expect(readRepoFile(path)).not.toMatch(/secrets\.|_TOKEN: (?!\$\{\{ github\.token \}\})|registry-url/)
})
