import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeIn } from '../../../../test/docs/page.ts'
import { createProject, runShell } from '../../../../test/docs/project.ts'
import { readRepoFile } from '../../../../test/tooling/repo.ts'
import { runCli } from '../cli-process.ts'

test('the webhook examples in docs/guides/push.md work unchanged, in three lines each', async () => {
  const [prelude = '', ...examples] = codeIn(readRepoFile('docs/guides/push.md'), 'sh')
  const folder = await createProject()
  const { firstLine } = runCli(['start', '--demo', '--json', '--port', '0', '--data', join(folder, '.data')])
  const { webhook_base_url, workspace } = JSON.parse(await firstLine)
  expect(workspace).toBe(1) // as on the page
  const paste = async (block: string) => {
    const script = `${prelude}\n${block.replace('http://127.0.0.1:8080/api', webhook_base_url)}`
    return JSON.parse(await runShell(`sh <<'END_OF_SCRIPT'\n${script}END_OF_SCRIPT`, { folder }))
  }
  expect(examples.map((block) => block.trim().split('\n').length)).toEqual([3, 3, 3])
  const [github = '', laravel = '', punch = ''] = examples
  expect(await paste(github)).toMatchObject({ event: 'issues', stored: 1, ticket_created: true })
  const first = await paste(laravel)
  expect(first).toMatchObject({ received: true, ticket_created: true })
  expect(await paste(laravel)).toEqual({ ...first, ticket_created: false })
  expect(await paste(punch)).toMatchObject({ received: true, recorded: true, action: 'check_in' })
})
