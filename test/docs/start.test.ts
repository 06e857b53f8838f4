import { readFileSync } from 'node:fs'
import { expect, inject, onTestFailed, onTestFinished, test } from 'vitest'
import { freePort } from '../../packages/server/test/free-port.ts'
import { createEmptyDatabase } from '../../packages/server/test/postgres-databases.ts'
import { readRepoFile, repoRoot as root } from '../tooling/repo.ts'
import { docker } from './docker.ts'
import { blocksOf, codeIn } from './page.ts'
import { createProject, startShell } from './project.ts'

/** Runs the commands of our packages, which `npm install` would install. */
const npx = `[ "$1" = --yes ] && shift
case $1 in
  @service/server) shift; exec service-server "$@" ;;
  vitest) shift; exec node ${root}node_modules/vitest/vitest.mjs "$@" --testTimeout=200000 ;;
  *) echo "unknown command $1" >&2; exit 1 ;;
esac`

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
  const files = blocksOf(page).filter(({ title }) => title !== '')
  const writing = files.map(({ title, code }) => `cat > ${title} <<'END_OF_FILE'\n${code}END_OF_FILE\n`)
  const data = /--data (\S+)/.exec(page)?.[1] ?? '.data'
  const commands = codeIn(page, 'sh').map((code) => {
    const started = /&\s*$/.test(code) ? Object.entries(waiting).find(([command]) => code.includes(command)) : undefined
    return started === undefined ? code : `${code}${started[1]}\n`
  })
  const stopping =
    "trap 'status=$?; kill $(jobs -p) $(cat pids 2>/dev/null) 2>/dev/null || true; wait; exit $status' EXIT"
  return `set -e\nDATA=${data}\n${stopping}\n${[...writing, ...commands].join('\n')}\necho '${lastLine}'\nread -r _ || true\n`
}

/** The output lines that a page promises. */
const promisesOf = (page: string) => codeIn(page, 'text').flatMap((code) => code.trim().split('\n'))

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
  const page = choose(readRepoFile(`docs/${name}.md`))
  const promised = promisesOf(page)
  expect(promised.length).toBeGreaterThan(0)
  const folder = await createProject({ commands: { docker, npm: 'exit 0', npx, sudo: 'exit 0' } })
  const database = await createEmptyDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  const [platform, receiver] = [await freePort(), await freePort()]
  const script = toScript(page)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${platform}`)
    .replaceAll(/127\.0\.0\.1([:/])3000/g, `127.0.0.1$1${receiver}`)
    .replace('listen(3000,', `listen(${receiver},`)
    .replace('("127.0.0.1", 3000)', `("127.0.0.1", ${receiver})`)
  const { child, said, ended } = startShell(script, {
    folder,
    env: { HOME: folder, NO_COLOR: '1', SERVICE_PORT: String(platform), TEST_DATABASE_URL: database.url },
    stdio: 'pipe',
  })
  const printed = () => `${said.stdout}\n${said.stderr}`
  const isMissing = (promise: string) => !isKept(promise, printed())
  onTestFailed(() => void process.stderr.write(printed()))
  onTestFinished(() => void child.stdin?.end())
  const allPrinted = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', () => {
        if (![...promised, lastLine].some(isMissing)) resolve()
      })
  })
  await Promise.race([allPrinted, ended])
  if (child.exitCode === null) await inTheBrowser[name]?.(folder, platform)
  child.stdin?.end()
  expect([await ended, promised.filter(isMissing)]).toEqual([0, []])
}

test.each(['start/call', 'start/receive', 'start/test', 'start/host', 'guides/authentication', 'guides/docker'])(
  'docs/%s.md works from an empty folder',
  async (name) => {
    await follow(name)
  },
  240_000,
)

test('docs/start/receive.md works with its receiver in Python', async () => {
  const [, command = ''] = /in Python with `(.+?)`/.exec(readRepoFile('docs/start/receive.md')) ?? []
  await follow('start/receive', (page) => page.replace('\nnode receive.mjs &\n', `\n${command}\n`))
}, 240_000)
