import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { end, launch } from '../processes/pinned.ts'
import type { ServerProcess } from '../processes/server.ts'
import { copyProgram, peerVersions } from './install.ts'

const versions = peerVersions.servers

export type PeerName = 'json-server' | 'prism' | 'mockoon' | 'emulate' | 'hono'

/** Each with the fifty tickets that ours answers, byte for byte where it keeps the order of the fields. */
export const peerTitles: Readonly<Record<PeerName, string>> = {
  'json-server': `json-server ${versions['json-server']}: in memory, one file`,
  prism: `prism ${versions['@stoplight/prism-cli']}: an example, no state`,
  mockoon: `mockoon ${versions['@mockoon/cli']}: a bucket in memory`,
  emulate: `emulate ${versions.emulate}: an emulator of one's own, in memory`,
  hono: `hono ${versions.hono} + better-sqlite3 by hand, no tokens, no checks`,
}

interface Place {
  /** Where the peers are installed. */
  readonly installed: string
  /** An empty folder for its files. */
  readonly folder: string
  readonly tickets: readonly unknown[]
}

/** The arguments for Node that start a peer on a port, once its files are written. */
const preparations: Readonly<Record<PeerName, (place: Place, port: number) => Promise<readonly string[]>>> = {
  async 'json-server'({ installed, folder, tickets }, port) {
    await mkdir(join(folder, 'public'))
    return [await bin(installed, 'json-server'), await writeTickets(folder, tickets), '--port', `${port}`]
  },
  async prism({ installed, folder, tickets }, port) {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(openapi(tickets)))
    return [await bin(installed, 'prism'), 'mock', file, '--port', `${port}`, '--verboseLevel', 'silent']
  },
  async mockoon({ installed, folder, tickets }, port) {
    const file = join(folder, 'mockoon.json')
    await writeFile(file, JSON.stringify(mockoonEnvironment(tickets, port)))
    return [
      await bin(installed, 'mockoon-cli'),
      'start',
      '--data',
      file,
      '--disable-log-to-file',
      '--disable-admin-api',
    ]
  },
  async emulate({ installed, folder, tickets }, port) {
    return [await copyProgram(installed, 'emulate'), `${port}`, await writeTickets(folder, tickets)]
  },
  async hono({ installed, folder, tickets }, port) {
    const database = join(folder, 'tickets.db')
    return [await copyProgram(installed, 'hono'), `${port}`, await writeTickets(folder, tickets), database]
  },
}

/** Starts a peer; resolves at its first answer to a list. */
export async function startPeer(name: PeerName, place: Place): Promise<ServerProcess> {
  await mkdir(place.folder, { recursive: true })
  const port = await freePort()
  const args = await preparations[name](place, port)
  const child = launch({ role: 'server', args, stdio: ['ignore', 'ignore', 'inherit'] })
  const baseUrl = `http://127.0.0.1:${port}`
  while (!(await answers(`${baseUrl}/tickets`))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it was ready.`)
    await wait(2)
  }
  return { baseUrl, pid: child.pid ?? 0, [Symbol.asyncDispose]: () => end(child) }
}

const answers = (url: string) =>
  fetch(url).then(
    async (response) => (await response.text()) !== '' && response.ok,
    () => false,
  )

const bin = (installed: string, name: string) => realpath(join(installed, 'node_modules/.bin', name))

async function writeTickets(folder: string, tickets: readonly unknown[]): Promise<string> {
  const file = join(folder, 'db.json')
  await writeFile(file, JSON.stringify({ tickets }))
  return file
}

function openapi(tickets: readonly unknown[]) {
  const answer = (example: unknown) => ({ description: '', content: { 'application/json': { example } } })
  const title = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
  const body = { content: { 'application/json': { schema: title } } }
  const get = { responses: { 200: answer(tickets) } }
  const post = { requestBody: body, responses: { 201: answer(tickets[0]) } }
  return { openapi: '3.1.0', info: { title: 'Tickets', version: '1' }, paths: { '/tickets': { get, post } } }
}

function mockoonEnvironment(tickets: readonly unknown[], port: number) {
  const uuid = (end: number) => `00000000-0000-4000-8000-${`${end}`.padStart(12, '0')}`
  const data = [{ uuid: uuid(1), id: 'tick', name: 'tickets', documentation: '', value: JSON.stringify(tickets) }]
  const response = {
    uuid: uuid(2),
    body: '{}',
    latency: 0,
    statusCode: 200,
    label: '',
    headers: [],
    bodyType: 'DATABUCKET',
  }
  const rules = { rules: [], rulesOperator: 'OR', disableTemplating: true, fallbackTo404: false, default: true }
  const more = { filePath: '', databucketID: 'tick', sendFileAsBody: false, crudKey: 'id', callbacks: [] }
  const route = { uuid: uuid(3), type: 'crud', documentation: '', method: '', endpoint: 'tickets', responseMode: null }
  return {
    uuid: uuid(4),
    lastMigration: 33,
    name: 'tickets',
    endpointPrefix: '',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes: [{ ...route, responses: [{ ...response, ...rules, ...more }], streamingMode: null, streamingInterval: 0 }],
    rootChildren: [{ type: 'route', uuid: uuid(3) }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data,
    callbacks: [],
  }
}

/** A port that was free a moment ago; some peers take none by themselves. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()))
    })
  })
}
