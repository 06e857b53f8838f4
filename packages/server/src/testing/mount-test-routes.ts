import { randomBytes } from 'node:crypto'
import { lazily } from '../core/lazily.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import type { Entrypoints } from '../runtime/entrypoints.ts'
import { type DoubleParts, doublePath } from './dashboard/double-page.ts'

export interface TestRoute {
  /** The path prefix. */
  readonly path: string
  readonly answer: RequestHandler
}

interface TestRoutes {
  readonly answer: RequestHandler
  mount(route: TestRoute): void
}

/** Routes in front of the platform's. Requests to them are not journaled, and faults do not affect them. */
export function createTestRoutes(answer: RequestHandler): TestRoutes {
  const mounted: TestRoute[] = []
  return {
    mount: (route) => void mounted.push(route),
    answer(request, env) {
      const route = mounted.find(({ path }) => isUnder(path, request))
      return route === undefined ? answer(request, env) : route.answer(request, env)
    },
  }
}

function isUnder(path: string, { url }: Request): boolean {
  if (!url.includes(path)) return false
  const { pathname } = new URL(url)
  return pathname === path || pathname.startsWith(`${path}/`)
}

/** The dashboard of the double, loaded with its first page. */
export function createDoubleDashboard(parts: DoubleParts, key: string): TestRoute {
  const open = lazily(async () => (await import('./dashboard/double-pages.tsx')).createDoublePages(parts, key))
  return { path: doublePath, answer: async (request, env) => (await open())(request, env) }
}

/** A key that opens the pages without a password. The seeded identifiers are predictable, so it is not one of them. */
export const createDashboardKey = () => randomBytes(24).toString('base64url')

/** Remembers the first port's URL, and opens a port if the URL is needed earlier. */
export function withFirstUrl(listen: Entrypoints['listen']): Pick<Entrypoints, 'listen'> & { url(): Promise<string> } {
  let first: string | undefined
  const remembering: Entrypoints['listen'] = async (options) => {
    const address = await listen(options)
    first ??= address.url
    return address
  }
  return { listen: remembering, url: async () => first ?? (await remembering()).url }
}
