import { Agent, request } from 'node:http'
import { Agent as UndiciAgent, request as undiciRequest } from 'undici'
import { expect, test } from 'vitest'
import { freshDirectory } from '../test/fresh-directory.ts'
import { type RunningServer, startServer } from './server-process.ts'

interface Stop {
  readonly answered: number
  readonly resets: readonly string[]
  readonly exitCode: number | null
  readonly ms: number
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

type MakePost = (served: RunningServer) => () => Promise<number>

async function stopOnce(clients: number, makers: readonly MakePost[]): Promise<Stop> {
  const served = await startServer(['--demo', '--data', await freshDirectory()])
  const resets: string[] = []
  let answered = 0
  const run = async (post: () => Promise<number>) => {
    for (;;) {
      try {
        const status = await post()
        if (status === 201) answered += 1
        else if (status !== 503) resets.push(`status ${status}`)
      } catch (fault) {
        const code = codeOf(fault)
        if (code !== 'ECONNREFUSED') resets.push(code)
        return
      }
    }
  }
  const posts = makers.map((make) => make(served))
  const running = Array.from({ length: clients }, (_, index) => run(posts[index % posts.length] ?? fetchPost(served)))
  await pause(1000)
  const startedAt = performance.now()
  served.signal('SIGTERM')
  setTimeout(() => served.signal('SIGTERM'), 10)
  const exitCode = await served.exited
  const ms = performance.now() - startedAt
  await Promise.all(running)
  return { answered, resets, exitCode, ms }
}

function codeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && typeof fault.code === 'string') return fault.code
  return fault.cause === undefined ? fault.message : codeOf(fault.cause)
}

const body = JSON.stringify({ title: 'Written while the server stops' })
const pathOf = ({ workspace }: RunningServer) => `/api/v1/workspaces/${workspace}/tickets`
const headersOf = ({ token }: RunningServer) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

const keptPost: MakePost = (served) => httpPost(served, new Agent({ keepAlive: true }))
/** Like the webhooks of Git hosts, which are not sent again. */
const freshPost: MakePost = (served) => httpPost(served, new Agent({ keepAlive: false }))

function httpPost(served: RunningServer, agent: Agent): () => Promise<number> {
  const options = {
    port: new URL(served.url).port,
    path: pathOf(served),
    method: 'POST',
    agent,
    headers: headersOf(served),
  }
  return () =>
    new Promise((resolve, reject) => {
      const sending = request(options, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      })
      sending.on('error', reject)
      sending.end(body)
    })
}

function undiciPost(served: RunningServer): () => Promise<number> {
  const dispatcher = new UndiciAgent()
  return async () => {
    const answer = await undiciRequest(`${served.url}${pathOf(served)}`, {
      ...{ method: 'POST', headers: headersOf(served), body, dispatcher },
    })
    await answer.body.dump()
    return answer.statusCode
  }
}

const fetchPost = (served: RunningServer) => async () => {
  const answer = await fetch(`${served.url}${pathOf(served)}`, { method: 'POST', headers: headersOf(served), body })
  await answer.arrayBuffer()
  return answer.status
}

test('30 clients with keep-alive connections see no reset while a server stops, six times', async () => {
  for (let stop = 0; stop < 6; stop += 1) {
    const { answered, resets, exitCode, ms } = await stopOnce(30, [keptPost, undiciPost, fetchPost])
    expect({ resets, exitCode }).toEqual({ resets: [], exitCode: 0 })
    expect(answered).toBeGreaterThan(0)
    expect(ms).toBeLessThan(10_000)
  }
})

test('100 clients that open a connection for each request see no reset while a server stops, thirty times', async () => {
  const outcomes: Stop[] = []
  for (let stop = 0; stop < 30; stop += 1) outcomes.push(await stopOnce(100, [freshPost]))
  expect(outcomes.flatMap(({ resets }) => resets)).toEqual([])
  expect(new Set(outcomes.map(({ exitCode }) => exitCode))).toEqual(new Set([0]))
  expect(Math.min(...outcomes.map(({ answered }) => answered))).toBeGreaterThan(0)
})
