import { defaultHost } from '../core/host-name.ts'
import { requireKnown } from '../core/known-keys.ts'
import type { Admit, RequestHandler } from './admission.ts'
import { type Listening, type ListeningAddress, type ListenOptions, listen, type PortOptions } from './listen.ts'

export interface Entrypoints {
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  listen(options?: ListenOptions): Promise<ListeningAddress>
  /** Makes ports reject connections, or accept them again. */
  setRefusingConnections(isRefusing: boolean): void
  close(): Promise<void>
}

interface EntrypointOptions extends PortOptions {
  readonly origin: string
  readonly admit: Admit
  /** The handler for requests over a port, if different. */
  readonly overPort?: ((answer: RequestHandler, host: string) => RequestHandler) | undefined
}

export function createEntrypoints(
  answer: RequestHandler,
  { origin, admit, overPort, ...portOptions }: EntrypointOptions,
): Entrypoints {
  const ports: Listening[] = []
  return {
    fetch: async (input, init) => answer(toRequest(input, init, origin)),
    async listen(options = {}) {
      requireKnown(options, ['port', 'host'], '`listen`')
      const outside = overPort?.(answer, options.host ?? defaultHost) ?? answer
      const listening = await listen(admit(outside), options, portOptions)
      ports.push(listening)
      return { url: listening.url, port: listening.port }
    },
    setRefusingConnections(isRefusing) {
      for (const listening of ports) listening.refuse(isRefusing)
    },
    async close() {
      await Promise.all(ports.map((listening) => listening.stop()))
    },
  }
}

/** Resolves a path against the server's origin. */
function toRequest(input: Request | string | URL, init: RequestInit | undefined, origin: string): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init)
  return new Request(new URL(input, origin), init)
}
