import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Creates a folder like a reader's after `npm install`: the built packages, and an `npx` that runs their commands. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const installed = {
    '@service/client': 'packages/client',
    '@service/server': 'packages/server',
    vitest: 'node_modules/vitest',
  }
  for (const [name, packageFolder] of Object.entries({ ...installed, '@service/webhooks': 'packages/webhooks' })) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(root, packageFolder), join(folder, 'node_modules', name))
  }
  const cli = `${root}packages/server/dist/cli.js`
  const commands = {
    docker,
    npm: 'exit 0',
    npx: `[ "$1" = --yes ] && shift
case $1 in
  @service/server) shift; exec node ${cli} "$@" ;;
  vitest) shift; exec node ${root}node_modules/vitest/vitest.mjs "$@" --testTimeout=200000 ;;
  *) echo "unknown command $1" >&2; exit 1 ;;
esac`,
  }
  mkdirSync(join(folder, 'bin'))
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return folder
}

/** Runs the commands of a container without Docker. Each volume is a folder. */
const docker = `
cli() { exec env SERVICE_DATA=$HOME/data SERVICE_JSON=1 $(cat $HOME/env) node ${root}packages/server/dist/cli.js "\${@///backups/$HOME/backups}"; }
serve() { (cli start >> $HOME/log 2>&1) & echo $! > $HOME/pid; until (cli healthcheck) >/dev/null 2>&1; do sleep 0.1; done; }
mkdir -m 700 -p $HOME/data $HOME/backups
case "$1 $2" in
  'build -f') [ -f ${root}$3 ] ;;
  'run -d') [ ! -f $HOME/log ] || exit 1; echo "$*" | grep -o 'SERVICE_[A-Z_]*=[^ ]*' | sed "s#=/#=$HOME/#" > $HOME/env; serve ;;
  'run --rm') while [ "$1" != service-server ]; do shift; done; shift; cli "$@" ;;
  'exec service') shift 3; cli "$@" ;;
  'start service') serve ;;
  'stop service') kill $(cat $HOME/pid); while kill -0 $(cat $HOME/pid) 2>/dev/null; do sleep 0.1; done ;;
  'rm service') rm $HOME/log ;;
  'logs service') cat $HOME/log ;;
  'cp '*) cp $HOME/\${2#service:/} $3 ;;
  *) echo "unknown command $*" >&2; exit 1 ;;
esac`

/** Finds two free ports. */
async function freePorts(): Promise<[number, number]> {
  const free = async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  return [await free(), await free()]
}

/** The code blocks of a page: files to write, commands to run, and their output. */
const blocksOf = (page: string) =>
  Array.from(
    page.matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms),
    ([, language = '', title = '', code = '']) => ({
      language,
      title,
      code,
    }),
  )

const receiverAnswers = 'until (exec 3<>/dev/tcp/127.0.0.1/3000) 2>/dev/null; do sleep 0.1; done'

/** Commands that wait until a background command of the page is ready. */
const waiting: Readonly<Record<string, string>> = {
  '@service/server start': 'until npx @service/server healthcheck --data "$DATA" >/dev/null 2>&1; do sleep 0.1; done',
  'node receive.mjs': receiverAnswers,
  'python3 receive.py': receiverAnswers,
}

/** Printed after the last command of a page. */
const lastLine = '--- end of the page ---'

function toScript(page: string): string {
  const blocks = blocksOf(page)
  const files = blocks.filter(({ title }) => title !== '')
  const writing = files.map(({ title, code }) => `cat > ${title} <<'END_OF_FILE'\n${code}END_OF_FILE\n`)
  const data = /--data (\S+)/.exec(page)?.[1] ?? '.data'
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => {
      const started = /&\s*$/.test(code)
        ? Object.entries(waiting).find(([command]) => code.includes(command))
        : undefined
      return started === undefined ? code : `${code}${started[1]}\n`
    })
  const stopping =
    "trap 'status=$?; kill $(jobs -p) $(cat pid 2>/dev/null) 2>/dev/null || true; wait; exit $status' EXIT"
  return `set -e\nDATA=${data}\n${stopping}\n${[...writing, ...commands].join('\n')}\necho '${lastLine}'\nread -r _ || true\n`
}

/** The output lines that a page promises. */
const promisesOf = (page: string) =>
  blocksOf(page)
    .filter(({ language }) => language === 'text')
    .flatMap(({ code }) => code.trim().split('\n'))

/** An ellipsis in a promised line matches any text. */
const isKept = (promise: string, printed: string) =>
  printed.split('\n').some((line) => promise.split('…').every((part) => line.includes(part)))

/** What a reader of a page does in the browser at its end. */
const inTheBrowser: Readonly<Record<string, (folder: string, port: number) => Promise<void>>> = {
  'start/host': async (folder, port) => {
    const owner: { email: string; password: string } = JSON.parse(readFileSync(`${folder}/owner.json`, 'utf8'))
    const fields = new URLSearchParams({ email: owner.email, password: owner.password })
    const dashboard = `http://127.0.0.1:${port}/dashboard`
    const headers = { origin: `http://127.0.0.1:${port}` }
    const answer = await fetch(`${dashboard}/sign-in`, { method: 'POST', headers, body: fields, redirect: 'manual' })
    const cookie = answer.headers.getSetCookie().map((each) => each.split(';', 1)[0])
    const tickets = await fetch(`${dashboard}/w/1/tickets`, { headers: { cookie: cookie.join('; ') } })
    expect(await tickets.text()).toContain('The printer is on fire')
  },
}

/** Runs a page in a new folder until every promised line was printed. */
async function follow(name: string, choose = (page: string) => page): Promise<void> {
  const page = choose(readFileSync(`${root}docs/${name}.md`, 'utf8'))
  const promised = promisesOf(page)
  expect(promised.length).toBeGreaterThan(0)
  const folder = scratch()
  const [platform, receiver] = await freePorts()
  const script = toScript(page)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${platform}`)
    .replaceAll(/127\.0\.0\.1([:/])3000/g, `127.0.0.1$1${receiver}`)
    .replace('listen(3000,', `listen(${receiver},`)
    .replace('("127.0.0.1", 3000)', `("127.0.0.1", ${receiver})`)
  const path = `${folder}/bin:${dirname(process.execPath)}:${process.env['PATH']}`
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { PATH: path, HOME: folder, NO_COLOR: '1', SERVICE_PORT: String(platform) },
  })
  let printed = ''
  onTestFailed(() => void process.stderr.write(printed))
  onTestFinished(() => void shell.stdin.end())
  const closed = new Promise<number | null>((resolve) => shell.once('close', resolve))
  const allPrinted = new Promise<void>((resolve) => {
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', (text) => {
        printed += text
        if ([...promised, lastLine].every((promise) => isKept(promise, printed))) resolve()
      })
    }
  })
  await Promise.race([allPrinted, closed])
  if (shell.exitCode === null) await inTheBrowser[name]?.(folder, platform)
  shell.stdin.end()
  const code = await closed
  expect([code, promised.filter((promise) => !isKept(promise, printed))]).toEqual([0, []])
}

test.each(['start/call', 'start/receive', 'start/test', 'start/host', 'guides/authentication', 'guides/docker'])(
  'docs/%s.md works from an empty folder',
  async (name) => {
    await follow(name)
  },
  240_000,
)

test('docs/start/receive.md works with its receiver in Python', async () => {
  const [, command = ''] = /in Python with `(.+?)`/.exec(readFileSync(`${root}docs/start/receive.md`, 'utf8')) ?? []
  await follow('start/receive', (page) => page.replace('\nnode receive.mjs &\n', `\n${command}\n`))
}, 240_000)
