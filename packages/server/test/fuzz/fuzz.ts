import { ErrorBody, type Route, type Surface, successStatus } from '@service/contract'
import { routeFinder } from '@service/contract/match-routes'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { answerProblems, parse } from '../../src/testing/contract/check-answer.ts'
import type { TestServerOptions } from '../../src/testing/entries/testing.ts'
import { describeRequest, type FuzzedRequest, requestsTo, toRequest } from './requests.ts'
import { openTarget, surfaces, type Target } from './target.ts'

export interface FuzzOptions {
  readonly surface: Surface
  readonly requests: number
  /** The same seed makes the same requests. */
  readonly seed: number
  /** Where the data of a server stands; in memory when left out. Each call is for a server of its own. */
  place?(): Promise<{ readonly options: TestServerOptions; remove(): Promise<void> }>
  onRound?(report: FuzzReport): void
}

export interface FuzzReport {
  readonly requests: number
  readonly valid: number
  /** Of the valid ones; the others named what is not there, or came twice. */
  readonly succeeded: number
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>
  /** Answers that break the contract, and what the server has called its own fault: one of each kind. */
  readonly problems: readonly string[]
}

/** Requests that one server gets. The next begins with a new one, so that what the earlier have deleted is there again. */
const roundLength = 500

const routes = Object.values(surfaces).flat()
const findRoute = routeFinder(routes)
const findPath = routeFinder(routes.map((route) => ({ ...route, method: 'GET' })))

/** The route of a request; another method of a path is no route, even where a parameter could hold its last segment. */
function routeOf(method: string, path: string): Route | undefined {
  const route = findRoute(method, path)?.route
  return route?.path === findPath('GET', path)?.route.path ? route : undefined
}

/** Sends requests made from the contract and holds every answer against it. */
export async function fuzz({ surface, requests, seed, place = inMemory, onRound }: FuzzOptions): Promise<FuzzReport> {
  const tally = createTally()
  for (let round = 0; tally.report().requests < requests; round += 1) {
    const { options, remove } = await place()
    const target = await openTarget(options)
    const numRuns = Math.min(roundLength, requests - tally.report().requests)
    for (const request of fc.sample(requestsTo(surface, target), { seed: seed + round, numRuns })) {
      tally.count(request, await check(target, request), seed + round)
    }
    await target.server.close()
    for (const fault of target.faults()) tally.countFault(fault, seed + round)
    await remove()
    onRound?.(tally.report())
  }
  return tally.report()
}

/** Of each kind of problem, one is enough to look into. */
function createTally() {
  const statuses: Record<number, number> = {}
  const problems = new Map<string, string>()
  const sums = { requests: 0, valid: 0, succeeded: 0 }
  const add = (kind: string, text: string) => void (problems.has(kind) || problems.set(kind, text))
  return {
    count(request: FuzzedRequest, { status, found }: Checked, seed: number) {
      statuses[status] = (statuses[status] ?? 0) + 1
      sums.requests += 1
      sums.valid += Number(request.isValid)
      sums.succeeded += Number(request.isValid && status < 300)
      for (const problem of found) {
        const kind = `${request.route.operation} answered ${status}: ${problem}`
        add(kind, `${kind}\n  seed ${seed}: ${describeRequest(request)}`)
      }
    },
    countFault: (fault: string, seed: number) => add(fault.slice(0, 60), `seed ${seed}: ${fault.slice(0, 1500)}`),
    report: (): FuzzReport => ({ ...sums, statuses, problems: [...problems.values()] }),
  }
}

const inMemory = async () => ({ options: {}, remove: async () => undefined })

interface Checked {
  readonly status: number
  readonly found: readonly string[]
}

async function check(target: Target, fuzzed: FuzzedRequest): Promise<Checked> {
  const request = toRequest(fuzzed)
  const { method } = request
  const path = new URL(request.url).pathname
  const response = await target.server.fetch(request)
  const { status } = response
  const answered = { status, contentType: response.headers.get('content-type'), text: await response.text() }
  const found: string[] = []
  if (status >= 500) found.push('a fault of its own')
  const route = routeOf(method, path)
  // That the caller has the answer already is said by HTTP (RFC 9110 §15.4.5), to who asked by If-None-Match.
  if (status === 304) return { status, found }
  if (route === undefined) return { status, found: [...found, ...strayProblems(answered)] }
  found.push(...answerProblems(route, answered).map(({ at, message }) => `${at}: ${message}`))
  if (succeeded(route, status) && isRefusedByContract(route, fuzzed)) found.push('a body that the contract refuses')
  return { status, found }
}

const succeeded = (route: Route, status: number) => status === successStatus(route)

/** Where no route is, there is nothing but a refusal with the common body. */
function strayProblems({ status, text }: { status: number; text: string }): readonly string[] {
  const isRefusal = (status === 404 || status === 405) && ErrorBody.safeParse(parse(text)?.json).success
  return isRefusal ? [] : ['what has no route']
}

/** What third parties push may have other forms; for the rest the schema is the law. */
function isRefusedByContract({ surface, body: schema }: Route, { body }: FuzzedRequest): boolean {
  if (surface === 'inbound' || schema === undefined || typeof body !== 'string') return false
  const sent = parse(body)
  return sent !== undefined && !z.safeParse(schema, sent.json).success
}
