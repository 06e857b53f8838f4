import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ClientOptions, createClient } from '@service/client'
import { createTestServer } from '@service/server/testing'
import { verify, verifyRequest } from '@service/webhooks'
import { signedRequest, testSecret } from '@service/webhooks/testing'
import { expect, test } from 'vitest'
import { commands } from '../../packages/server/src/cli/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(`${root}docs/guides/troubleshooting.md`, 'utf8')
const quoted = Array.from(
  page.matchAll(/^\| (?:`([^`|]+)`|``` (.+?) ```) \|/gm),
  ([, plain, code]) => plain ?? code ?? '',
)

/** The sources of the packages as one text: joined literals, and an ellipsis for each value. */
function readSources(): string {
  const files = ['client', 'server', 'webhooks'].flatMap((name) =>
    readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .map((path) => `${root}packages/${name}/src/${path}`),
  )
  return files
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
    .replaceAll(/['`] \+\n\s*['`]/g, '')
    .replaceAll(/\$\{[^}]+\}/g, '…')
    .replaceAll('\\`', '`')
}

/** Messages that the sources compose, from the mistakes that the page describes. */
async function produce(): Promise<string> {
  const server = await createTestServer({ seed: 'demo', contract: 'off' })
  const { token = '', workspace = 0 } = server.seeded
  const { id: empty } = await server.admin.workspaces.create({ name: 'Without integrations' })
  const call = async (path: string, init: RequestInit) => (await (await server.fetch(path, init)).json()).message
  const post = { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }
  const client = (baseUrl: string) => createClient({ baseUrl, token, workspace, fetch: server.fetch })
  const baseUrl = 'https://example.com/api/v1'
  const toPage = createClient({
    baseUrl,
    token,
    workspace,
    fetch: async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  })
  const broken = (options: Partial<ClientOptions>) =>
    messageOf(Promise.resolve().then(() => createClient({ baseUrl, token, workspace, ...options }).tickets.list()))
  const throwing = () => {
    throw new TypeError('a mistake')
  }
  const refusal = new TypeError('fetch failed', { cause: new Error('Proxy response (502) !== 200') })
  const messageOf = (work: PromiseLike<unknown>) => Promise.resolve(work).catch(({ message }: Error) => message)
  const parsed = await signedRequest('ticket.created')
  await parsed.text()
  const unsigned = { body: '{}', headers: {}, secret: testSecret }
  const old = await signedRequest('ticket.created', { standard: true, now: () => 0 })
  const messages = [
    call('/nothing', {}),
    call(`/api/webhooks/${empty}/errors`, { ...post, body: '{}' }),
    call(`/api/v1/workspaces/${workspace}/tickets`, { ...post, body: '{}' }),
    messageOf(client(server.origin).tickets.list()),
    messageOf(Promise.resolve().then(() => createClient({ token, workspace }))),
    messageOf(toPage.tickets.list()),
    broken({ token: '' }),
    broken({ token: throwing }),
    broken({ token: async () => '' }),
    broken({ fetch: throwing }),
    broken({ fetch: () => Promise.reject(refusal), maxRetries: 0 }),
    broken({ agent: 1 } as object),
    messageOf(verify({ ...unsigned, headers: { 'x-service-signature': '0'.repeat(64) } })),
    messageOf(verify(unsigned)),
    messageOf(verify({ body: await old.text(), headers: old.headers, secret: testSecret })),
    messageOf(verifyRequest(parsed, { secret: testSecret })),
  ]
  const produced = (await Promise.all(messages)).join('\n')
  await server.close()
  return produced
}

test('quotes only messages that the packages have or produce', async () => {
  expect(quoted.length).toBeGreaterThan(35)
  const texts = `${readSources()}\n${await produce()}`
  expect(quoted.filter((message) => !isIn(texts, message))).toEqual([])
})

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const isIn = (texts: string, message: string) => new RegExp(message.split('…').map(escaped).join('.*')).test(texts)

const symptoms = readFileSync(`${root}docs/guides/when-something-is-wrong.md`, 'utf8')

test('the page of symptoms quotes only sentences that the server logs', () => {
  const sources = readSources().replaceAll(/\n\s*/g, ' ')
  const sentences = (symptoms.match(/^- \*\*Log\*\*.+$/gm) ?? []).flatMap((line) =>
    Array.from(line.matchAll(/`([A-Z][^`]+ [^`]+)`/g), ([, sentence = '']) => sentence),
  )
  expect(sentences.length).toBeGreaterThan(8)
  expect(sentences.filter((sentence) => !isIn(sources, sentence))).toEqual([])
})

test('the page of symptoms names only commands that exist', async () => {
  const named = new Set(symptoms.match(/(?<=service-server )[a-z][a-z-]*(?: [a-z-]+)?(?=[^a-z-])/g))
  expect(named.size).toBeGreaterThan(15)
  for (const words of named) {
    const [first = '', second] = words.split(' ')
    const command = await commands[first]?.load()
    expect(command, words).toBeDefined()
    if (second !== undefined && command?.commands.length)
      expect(command.commands.map((child) => child.name())).toContain(second)
  }
})

test('each section of the page of symptoms has a metric, the log, and a command', () => {
  const sections = symptoms.split(/^## /m).slice(1)
  expect(sections.length).toBeGreaterThan(10)
  const parts = [/^- \*\*Metric\*\*: .*`/m, /^- \*\*Log\*\*: \S/m, /^- \*\*Commands\*\*(?:: .*`|, .+:\n\n```sh\n)/m]
  const incomplete = sections.filter((section) => !parts.every((part) => part.test(section)))
  expect(incomplete.map((section) => section.split('\n', 1)[0])).toEqual([])
})
