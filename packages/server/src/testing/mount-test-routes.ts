import { randomBytes } from 'node:crypto'
import { testBasePath } from '@service/contract'
import type { App } from '../context.ts'
import type { RequestHandler } from '../runtime/admission.ts'
import type { Entrypoints } from '../runtime/entrypoints.ts'
import { type DoubleParts, doublePath } from './dashboard/double-page.ts'
import type { TestServer } from './test-controls.ts'

// These routes precede the platform's. Requests to them are not journaled, and faults do not affect them.

interface ControlApiMount {
  readonly answer: RequestHandler
  /** Closes everything that tests have opened through it. */
  close(): Promise<void>
}

/** Mounts the test controls in front of the platform's routes. */
export async function withControlApi(
  server: () => TestServer,
  app: App,
  answer: RequestHandler,
): Promise<ControlApiMount> {
  if (app.config.adminToken === undefined) {
    throw new TypeError('`testControls` needs `adminToken`: requests to the test controls must carry it.')
  }
  const { createControlApi } = await import('./control-api/control-api.ts')
  const controls = createControlApi(server, app)
  return {
    answer: (request, env) => (isUnder(testBasePath, request) ? controls.fetch(request, env) : answer(request, env)),
    close: controls.close,
  }
}

interface DoubleDashboard {
  readonly answer: RequestHandler
  /** A key that opens the pages without a password, with full access to the server. */
  readonly path: string
}

/** Mounts the dashboard of the double in front of the platform's routes. */
export function withDoubleDashboard(parts: DoubleParts, answer: RequestHandler): DoubleDashboard {
  // Not from the seeded identifiers, because those are predictable.
  const key = randomBytes(24).toString('base64url')
  let pages: Promise<RequestHandler> | undefined
  const open = async () => {
    const { createDoublePages } = await import('./dashboard/double-pages.tsx')
    return createDoublePages(parts, key)
  }
  return {
    path: `${doublePath}?key=${key}`,
    async answer(request, env) {
      if (!isUnder(doublePath, request)) return answer(request, env)
      pages ??= open()
      return (await pages)(request, env)
    },
  }
}

function isUnder(path: string, { url }: Request): boolean {
  if (!url.includes(path)) return false
  const { pathname } = new URL(url)
  return pathname === path || pathname.startsWith(`${path}/`)
}

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
