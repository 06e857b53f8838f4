import { ErrorBody, type Route, type Surface, successStatus } from '@service/contract'
import { routeFinder } from '@service/contract/match-routes'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { parse, responseProblems } from '../../src/testing/contract/check-answer.ts'
import type { TestServerOptions } from '../../src/testing/entries/testing.ts'
import { describeRequest, type FuzzedRequest, requestsTo, toRequest } from './requests.ts'
import { openTarget, surfaces, type Target } from './target.ts'

export interface FuzzOptions {
  readonly surface: Surface
  readonly requests: number
  /** The same seed generates the same requests. */
  readonly seed: number
  /** The data location of each server; in memory by default. */
  place?(): Promise<{ readonly options: TestServerOptions; remove(): Promise<void> }>
  onRound?(report: FuzzReport): void
}

export interface FuzzReport {
  readonly requests: number
  readonly valid: number
  /** Valid requests that succeeded. The others named missing records or were duplicates. */
  readonly succeeded: number
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>
  /** Contract violations and logged server errors, one of each kind. */
  readonly problems: readonly string[]
}

/** Requests per server. Each round starts a new one, so that deleted records exist again. */
const roundLength = 500

const routes = Object.values(surfaces).flat()
const findRoute = routeFinder(routes)
const findPath = routeFinder(routes.map((route) => ({ ...route, method: 'GET' })))

/** The route of a request. Another method of a path is not a route, even if a parameter could match its last segment. */
function routeOf(method: string, path: string): Route | undefined {
  const route = findRoute(method, path)?.route
  return route?.path === findPath('GET', path)?.route.path ? route : undefined
}

/** Sends generated requests and checks every response against the contract. */
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

/** Keeps one problem of each kind. */
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
  if (status >= 500) found.push('a server error')
  const route = routeOf(method, path)
  // HTTP defines the response to If-None-Match (RFC 9110 §15.4.5).
  if (status === 304) return { status, found }
  if (route === undefined) return { status, found: [...found, ...unroutedProblems(answered)] }
  found.push(...responseProblems(route, answered).map(({ at, message }) => `${at}: ${message}`))
  if (succeeded(route, status) && isInvalidBody(route, fuzzed)) found.push('a body that the contract rejects')
  return { status, found }
}

const succeeded = (route: Route, status: number) => status === successStatus(route)

/** Without a route, the only response is an error with the common body. */
function unroutedProblems({ status, text }: { status: number; text: string }): readonly string[] {
  const isRefusal = (status === 404 || status === 405) && ErrorBody.safeParse(parse(text)?.json).success
  return isRefusal ? [] : ['a response without a route']
}

/** Inbound webhooks also accept bodies outside of their schemas. */
function isInvalidBody({ surface, body: schema }: Route, { body }: FuzzedRequest): boolean {
  if (surface === 'inbound' || schema === undefined || typeof body !== 'string') return false
  const sent = parse(body)
  return sent !== undefined && !z.safeParse(schema, sent.json).success
}
