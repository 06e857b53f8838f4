import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { repoRoot } from './repo.ts'

const packages = ['client', 'contract', 'server', 'webhooks']
let folder = ''

type Plan = { releases: { name: string; type: string; newVersion: string }[] }

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })

// The tool compares with the main branch, which a shallow clone or a tarball does not have, so it gets one of its own.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'changesets-'))
  const manifests = ['package.json', ...packages.map((name) => `packages/${name}/package.json`)]
  for (const path of [...manifests, 'pnpm-workspace.yaml', '.changeset']) {
    cpSync(join(repoRoot, path), join(folder, path), { recursive: true })
  }
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=Start')
})

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function plan(): Plan {
  const changeset = join(repoRoot, 'node_modules/.bin/changeset')
  execFileSync(changeset, ['status', '--output', 'plan.json'], { cwd: folder, stdio: 'pipe' })
  // Written by the pinned version of changesets; another shape would fail the expectations below.
  return JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as Plan
}

it('releases all four packages under one version when a changeset names only one of them', () => {
  writeFileSync(join(folder, '.changeset/given.md'), "---\n'@service/client': major\n---\n\nA given change.\n")
  const { releases } = plan()
  expect(releases.map(({ name }) => name).sort()).toEqual(packages.map((name) => `@service/${name}`))
  expect(new Set(releases.map(({ newVersion }) => newVersion)).size).toBe(1)
})
