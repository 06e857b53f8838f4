import { inspect, types } from 'node:util'
import type { TestServer } from './test-controls.ts'

/**
 * Throws a TypeError if an argument has no such part of a server, above all for the promise of a server: without this
 * check, only later requests would fail.
 */
export function requireServer(given: unknown, { part, owner }: { part: keyof TestServer; owner: string }): void {
  if (typeof given === 'object' && given !== null && part in given) return
  const was = types.isPromise(given) ? 'a promise: await it' : inspect(given, { depth: -1 })
  throw new TypeError(`${owner} needs a server from createTestServer; it was ${was}.`)
}
