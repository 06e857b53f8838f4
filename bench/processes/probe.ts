import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { launch } from './pinned.ts'

/** Runs a small program in a fresh process and reads the JSON that it prints. `script` is absolute, or relative to bench/. */
export async function probe<Result>(script: string, args: readonly string[] = []): Promise<Result> {
  const file = fileURLToPath(new URL(script, new URL('../', import.meta.url)))
  const child = launch({ role: 'server', args: [file, ...args], stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout === null) throw new TypeError('The probe has no output to read.')
  const exited = once(child, 'exit')
  const output = await text(child.stdout)
  const [code] = await exited
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}.`)
  return JSON.parse(output) as Result // our own program; its caller names the shape
}
