/**
 * What `docker build` and `docker run` would do, as far as it goes without Docker: the very commands of deploy/Dockerfile
 * run one after the other in a folder that stands for the file system of the image, and its entry point is started from
 * there. Base images, users and volumes are left out.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const help = `Runs the commands of deploy/Dockerfile on the committed state, then its entry point and its health check.

Usage: node .ci/image-check.ts [--keep]

Takes some minutes. All of it happens in a folder below ${tmpdir()}, which is removed at the end, unless --keep says otherwise.
It exits with 1 when a step fails.`

const { values } = parseArgs({
  options: { keep: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})

const repository = fileURLToPath(new URL('..', import.meta.url))

interface Instruction {
  readonly name: string
  readonly value: string
}

/** The instructions in their order; a line that ends with a backslash goes on. */
const instructionsOf = (dockerfile: string): Instruction[] =>
  dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(' ')
      return { name, value: rest.join(' ') }
    })

/** A folder that stands for the root of the image. */
function imageIn(root: string) {
  const bin = join(root, 'usr/local/bin')
  mkdirSync(bin, { recursive: true })
  const { username, gid } = userInfo()
  const environment: Record<string, string | undefined> = {
    ...process.env,
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
  }
  let folder = root
  /** Absolute paths below the root, and the user of this machine in place of the image's. */
  const placed = (text: string) =>
    text
      .replace(/(^|[\s="])\/(?=app|backups|data|src|usr)/g, `$1${root}/`)
      .replaceAll('-o node -g node', `-o ${username} -g ${gid}`)
  const shell = (command: string) => {
    console.log(`RUN ${command}`)
    execFileSync('sh', ['-ec', placed(command)], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const copy = (value: string) => {
    // What the second stage copies from the first is in its place already.
    if (value === '. .') execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${repository}`, folder])
    else if (!value.startsWith('--from=build /app /app')) throw new Error(`COPY ${value} is not known here.`)
  }
  return {
    environment,
    placed,
    apply({ name, value }: Instruction) {
      if (name === 'WORKDIR') folder = placed(value)
      if (name === 'COPY') copy(value)
      if (name === 'RUN') shell(value)
      if (name === 'ENV')
        for (const [, key = '', text] of value.matchAll(/(\w+)=(\S+)/g)) environment[key] = placed(text ?? '')
    },
  }
}

const wordsOf = (instructions: readonly Instruction[], name: string): string[] => {
  const found = instructions.findLast((instruction) => instruction.name === name)?.value ?? '[]'
  return JSON.parse(found.slice(found.indexOf('['))) as string[] // a list of words, in the form that needs no shell
}

async function check(root: string): Promise<void> {
  const instructions = instructionsOf(readFileSync(join(repository, 'deploy/Dockerfile'), 'utf8'))
  const image = imageIn(root)
  for (const instruction of instructions) image.apply(instruction)
  // The build leaves what it needed behind; what runs must not reach back for it.
  rmSync(join(root, 'src'), { recursive: true })
  const words = [...wordsOf(instructions, 'ENTRYPOINT'), ...wordsOf(instructions, 'CMD')].map(image.placed)
  const env = { ...image.environment, SERVICE_HOST: '127.0.0.1', SERVICE_PORT: '0' }
  console.log(`Starts ${words.join(' ')}`)
  const [command = '', ...args] = words
  const server = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await ready(server)
    const [probe = '', ...probeArgs] = wordsOf(instructions, 'HEALTHCHECK').map(image.placed)
    execFileSync(probe, probeArgs, { env, stdio: 'inherit' })
    server.kill((instructions.find(({ name }) => name === 'STOPSIGNAL')?.value ?? 'SIGTERM') as NodeJS.Signals)
    const [code] = await once(server, 'exit')
    if (code !== 0) throw new Error(`The server ended with ${code}.`)
  } finally {
    server.kill('SIGKILL')
  }
  console.log('The image builds, starts, is healthy and stops.')
}

async function ready(server: ChildProcess): Promise<void> {
  if (server.stdout === null) throw new Error('The server has no output to read.')
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code} before it was ready.`)
  })
  await Promise.race([once(createInterface(server.stdout), 'line'), ended])
  ended.catch(() => undefined)
}

if (values.help) console.log(help)
else {
  const root = mkdtempSync(join(tmpdir(), 'service-image-'))
  try {
    await check(root)
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault)
    process.exitCode = 1
  } finally {
    if (values.keep) console.log(root)
    else rmSync(root, { recursive: true, force: true })
  }
}
