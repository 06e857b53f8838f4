import { apiBasePath, inboundBasePath, testBasePath } from '@service/contract'
import { stopwatchMs } from '../../core/clock.ts'
import { ApiError, notFound } from '../../core/errors.ts'
import { jsonHeaders } from '../../http/error-response.ts'
import { findPortRequest, type RequestHandler } from '../../runtime/admission.ts'
import type { TestServer } from '../test-controls.ts'
import { closeUnused, type ForkTree, isFull, maxForks, type OpenFork } from './fork-tree.ts'

/** The path prefix of all forks. */
export const forksPath = '/forks'

export interface ServedFork extends Pick<TestServer, 'close'> {
  readonly answer: RequestHandler
}

export interface ForkParts {
  /** Opens a fork whose public address is this URL. */
  open(publicUrl: string): Promise<ServedFork>
  readonly tree: ForkTree
  readonly stopwatchMs?: () => number
}

export type ForkRoutes = ReturnType<typeof createForkRoutes>

/** Forks that share the port of their server: each answers below a path prefix. */
export function createForkRoutes({ open, tree, stopwatchMs: now = stopwatchMs }: ForkParts) {
  const forks = new Map<number, OpenFork & ServedFork>()
  let last = 0
  const close = async (id: number) => {
    const fork = forks.get(id)
    if (fork === undefined) throw notFound('fork', id)
    await fork.close()
  }
  const add = (id: number, { answer, close }: ServedFork) => {
    const fork = {
      answer,
      usedAtMs: now(),
      async close() {
        forks.delete(id)
        tree.open.delete(fork)
        await close().catch((found: Error) => {
          throw new ApiError('conflict', found.message)
        })
      },
    }
    forks.set(id, fork)
    tree.open.add(fork)
  }
  return {
    async open(origin: string) {
      await closeUnused(tree, now())
      if (isFull(tree)) throw tooManyForks()
      last += 1
      const id = last
      const url = `${origin}${forksPath}/${id}`
      tree.opening += 1
      try {
        add(id, await open(url))
      } finally {
        tree.opening -= 1
      }
      return {
        id,
        url,
        base_url: `${url}${apiBasePath}`,
        webhook_base_url: `${url}${inboundBasePath}`,
        test_url: `${url}${testBasePath}`,
      }
    },
    close,
    /** The findings of a fork belong to its worker, and do not keep the others open. */
    closeAll: () => Promise.allSettled([...forks.keys()].map(close)),
    async answer(request: Request, env?: object): Promise<Response> {
      const url = new URL(request.url)
      const [, , name = '', ...rest] = url.pathname.split('/')
      const fork = /^[1-9]\d{0,14}$/.test(name) ? forks.get(Number(name)) : undefined
      if (fork === undefined) return noFork(name)
      fork.usedAtMs = now()
      url.pathname = `/${rest.join('/')}`
      const response = await fork.answer(...withUrl(url, request, env))
      // A test control that waits fails when its fork closes. Other requests are answered as usual.
      const wasClosed = forks.get(Number(name)) !== fork
      return wasClosed && !response.ok && isTestControl(url) ? noFork(name) : response
    },
  }
}

/**
 * The same request at another address. Over a port, the platform reads the body from Node's request: an unread stream of
 * it would end the connection. The test controls read the request's own body.
 */
function withUrl(url: URL, request: Request, env: object | undefined): [Request, object | undefined] {
  const port = findPortRequest(request, env)
  if (port === undefined || isTestControl(url)) return [new Request(url, request), env]
  const { method, headers, signal } = request
  const moved = new Request(url, { method, headers, signal })
  return [moved, { ...env, port: { ...port, request: moved } }]
}

const isTestControl = ({ pathname }: URL) => pathname.startsWith(`${testBasePath}/`)

const noFork = (name: string) =>
  Response.json(
    { message: `There is no fork ${JSON.stringify(name)}. It was closed, or it was unused for an hour.` },
    { status: 404, headers: jsonHeaders },
  )

const tooManyForks = () =>
  new ApiError(
    'conflict',
    `${maxForks} forks are open, which is the limit of a server and all forks below it. Close those of finished workers: DELETE ${testBasePath}/forks/{id}. Forks that are unused for an hour are closed when the next one is opened.`,
  )
