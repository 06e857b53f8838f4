import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cliPath } from './cli-process.ts'

const libraryPath = fileURLToPath(new URL('../dist/index.js', import.meta.url))

/** Makes the process report an older Node version. */
const older = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
]

const run = (version: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [...older(version), ...args]).catch(({ code, stderr }) => ({ code, stderr }))

const sentence = (version: string) =>
  `@service/server needs Node 22.14 or later; this is Node ${version}. Install a newer one, from https://nodejs.org or with your version manager.\n`

test.each(['18.20.0', '20.20.2', '22.13.1'])(
  'on Node %s the command and the library report the required version',
  async (version) => {
    expect(await run(version, cliPath, 'start', '--port', '0')).toEqual({ code: 1, stderr: sentence(version) })
    const embed = `const { createServer } = await import(${JSON.stringify(libraryPath)})
    await createServer().catch(({ message }) => { process.stderr.write(message + '\\n'); process.exit(3) })`
    expect(await run(version, '--input-type=module', '-e', embed)).toEqual({ code: 3, stderr: sentence(version) })
  },
)

test('the command runs on Node 22.14', async () => {
  expect(await run('22.14.0', cliPath, '--version')).toMatchObject({ stdout: expect.stringMatching(/^\d/) })
})
