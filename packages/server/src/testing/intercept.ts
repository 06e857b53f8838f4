/** `globalThis.fetch` requests that a server handles instead of the network, until they are restored. */
export interface Interception {
  /** Restores network access. Idempotent. */
  restore(): void
  [Symbol.dispose](): void
}

type FetchHandler = (request: Request) => Promise<Response>

interface ActiveInterception {
  readonly origins: ReadonlySet<string>
  readonly handler: FetchHandler
}

// All servers of the process share one patch. If other code patches `fetch` later, the patch stays but does nothing.

/** Latest first. */
const active: ActiveInterception[] = []
let patch: typeof fetch | undefined
let unpatched: typeof fetch | undefined

/** The interceptions of one server. */
interface Interceptor {
  /** Handles requests to these origins. If several servers intercept an origin, the latest one gets it. */
  intercept(origins: Origins): Interception
  /** Restores network access for all origins. */
  restoreAll(): void
}

export function createInterceptor(handler: FetchHandler): Interceptor {
  const interceptions: Interception[] = []
  return {
    intercept(origins) {
      const interception = intercept(handler, origins)
      interceptions.push(interception)
      return interception
    },
    restoreAll() {
      for (const interception of interceptions.splice(0)) interception.restore()
    },
  }
}

function intercept(handler: FetchHandler, origins: Origins): Interception {
  const entry = { origins: readOrigins(origins), handler }
  active.unshift(entry)
  if (patch === undefined || globalThis.fetch !== patch) installPatch()
  const restore = () => {
    const index = active.indexOf(entry)
    if (index !== -1) active.splice(index, 1)
    if (active.length === 0) removePatch()
  }
  return { restore, [Symbol.dispose]: restore }
}

function installPatch(): void {
  const next = globalThis.fetch
  unpatched = next
  patch = (input, init) => {
    const handler = findHandler(input)
    if (handler === undefined) return next(input, init)
    const request = input instanceof Request && init === undefined ? input : new Request(input, init)
    return handler(request)
  }
  globalThis.fetch = patch
}

function removePatch(): void {
  if (unpatched !== undefined && globalThis.fetch === patch) globalThis.fetch = unpatched
}

/** An invalid URL goes to the original `fetch`, which rejects it. */
function findHandler(input: Parameters<typeof fetch>[0]): FetchHandler | undefined {
  if (active.length === 0) return undefined
  const url = URL.parse(input instanceof Request ? input.url : input)
  return url === null ? undefined : active.find(({ origins }) => origins.has(url.origin))?.handler
}

/** One origin or several, e.g. `https://api.example.com`. */
export type Origins = string | readonly string[]

/** Normalizes origins. Throws a TypeError for anything that is not an origin. */
export function readOrigins(origins: Origins): ReadonlySet<string> {
  // Code in JavaScript may omit them.
  const list = [origins ?? []].flat()
  if (list.length === 0) throw new TypeError('Pass at least one origin, e.g. https://api.example.com.')
  return new Set(list.map(readOrigin))
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url?.origin.startsWith('http') === true && url.pathname === '/' && url.search === ''
  if (url !== undefined && isOrigin) return url.origin
  throw new TypeError(`An origin is a scheme and a host, e.g. https://api.example.com; it was ${JSON.stringify(text)}.`)
}
