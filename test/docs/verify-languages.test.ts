import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { signedDelivery, testSecret } from '@service/webhooks/testing'
import { expect, test } from 'vitest'
import { readRepoFile } from '../tooling/repo.ts'
import { fileIn } from './page.ts'
import { createProject } from './project.ts'

/** Programs that call the function of the page with standard input and print the result. */
const programs = {
  'verify.mjs': {
    command: process.execPath,
    name: 'main.mjs',
    code: `import { readFileSync } from 'node:fs'
import { isGenuine } from './verify.mjs'
const [, , secret, signature] = process.argv
console.log(isGenuine(readFileSync(0), signature, secret))`,
  },
  'verify.py': {
    command: 'python3',
    name: 'main.py',
    code: `import sys
from verify import is_genuine
secret, *signature = sys.argv[1:]
print(str(is_genuine(sys.stdin.buffer.read(), signature[0] if signature else None, secret)).lower())`,
  },
} as const

test.each(Object.entries(programs))('the function in %s accepts only signed bodies', async (file, program) => {
  const code = fileIn(readRepoFile('docs/guides/verify-languages.md'), file)
  const folder = await createProject({ files: { [file]: code, [program.name]: program.code } })
  const { headers, body } = await signedDelivery('ticket.created')
  const signature = headers['x-service-signature'] ?? ''
  const verify = (bytes: Uint8Array, ...given: string[]) =>
    spawnSync(program.command, [join(folder, program.name), testSecret, ...given], { input: bytes })
      .stdout.toString()
      .trim()
  expect(verify(Buffer.from(body), signature)).toBe('true')
  expect(verify(Buffer.from(body).subarray(1), signature)).toBe('false')
  expect(verify(Buffer.from(body), 'not hex')).toBe('false')
  expect(verify(Buffer.from(body))).toBe('false')
})
