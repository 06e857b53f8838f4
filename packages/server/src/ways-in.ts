import { type Listening, type ListenOptions, listen } from './listen.ts'
import { type Interception, intercept } from './testing/intercept/intercept.ts'

/** Answers a request, whichever way it came; `env` is there when it came over a port. */
export type Answer = (request: Request, env?: object) => Response | Promise<Response>

/** How requests reach a server: in the process, over ports, and caught on their way to somewhere else. */
export interface WaysIn {
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  listen(options?: ListenOptions): Promise<Pick<Listening, 'url' | 'port'>>
  intercept(origins: string | readonly string[]): Interception
  /** Ports take no connections, or take them again. */
  refuse(isRefusing: boolean): void
  /** Catches nothing any more, and resolves when all ports are closed. */
  shut(): Promise<void>
}

export function openWaysIn(answer: Answer, { origin, fast }: { origin: string; fast: boolean }): WaysIn {
  const ports: Listening[] = []
  const interceptions: Interception[] = []
  const ways: WaysIn = {
    fetch: async (input, init) => answer(toRequest(input, init, origin)),
    async listen(options = {}) {
      const listening = await listen(answer, options, fast)
      ports.push(listening)
      return { url: listening.url, port: listening.port }
    },
    intercept(origins) {
      const interception = intercept(ways.fetch, origins)
      interceptions.push(interception)
      return interception
    },
    refuse(isRefusing) {
      for (const listening of ports) listening.refuse(isRefusing)
    },
    async shut() {
      for (const interception of interceptions) interception.restore()
      await Promise.all(ports.map((listening) => listening.stop()))
    },
  }
  return ways
}

/** A path alone stands for one on the server's own origin. */
function toRequest(input: Request | string | URL, init: RequestInit | undefined, origin: string): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init)
  return new Request(new URL(input, origin), init)
}
