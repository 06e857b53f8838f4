import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCli } from '../cli-process.ts'
import { freshDirectory } from '../fresh-directory.ts'

const run = promisify(execFile)
const page = new URL('../../../../docs/guides/push.md', import.meta.url)

/** The code blocks of the page. */
async function blocks(): Promise<string[]> {
  const text = await readFile(page, 'utf8')
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
}

test('the webhook examples in docs/guides/push.md work unchanged, in three lines each', async () => {
  const [prelude = '', ...examples] = await blocks()
  const directory = await freshDirectory()
  const { firstLine } = runCli(['start', '--demo', '--json', '--port', '0', '--data', join(directory, '.data')])
  const { webhook_base_url, workspace } = JSON.parse(await firstLine)
  expect(workspace).toBe(1) // as on the page
  const paste = async (block: string) => {
    const script = `${prelude}\n${block.replace('http://127.0.0.1:8080/api', webhook_base_url)}`
    const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
    const { stdout } = await run('sh', ['-c', script], { cwd: directory, env })
    return JSON.parse(stdout)
  }
  expect(examples.map((block) => block.trim().split('\n').length)).toEqual([3, 3, 3])
  const [github = '', laravel = '', punch = ''] = examples
  expect(await paste(github)).toMatchObject({ event: 'issues', stored: 1, ticket_created: true })
  const first = await paste(laravel)
  expect(first).toMatchObject({ received: true, ticket_created: true })
  expect(await paste(laravel)).toEqual({ ...first, ticket_created: false })
  expect(await paste(punch)).toMatchObject({ received: true, recorded: true, action: 'check_in' })
})
