import { requireTypes } from '../require-options.ts'
import type { DedupeStore } from './store.ts'

/** A Redis client: a function that sends one command, with all parts as strings. */
export interface RedisClient {
  send(command: string[]): Promise<unknown>
}

const done = 'done'

// Atomic, because the lease could end between two commands and another process could take over.
const commitScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('SET', KEYS[1], '${done}', 'PX', ARGV[2]) end`
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`

/**
 * Creates a store for processes that share Redis or Valkey, whose own clock controls expiry.
 *
 * @example
 * redisStore({ send: (command) => nodeRedis.sendCommand(command) })
 * redisStore({ send: ([name = '', ...rest]) => ioredis.call(name, ...rest) })
 */
export function redisStore(client: RedisClient, options: { readonly prefix?: string | undefined } = {}): DedupeStore {
  if (!client?.send) throw new TypeError('redisStore requires a client with send')
  requireTypes(options, { prefix: 'a string' }, 'redisStore option')
  const { prefix = 'webhook:' } = options
  return {
    async claim({ key, token, leaseMs }) {
      if (await client.send(['SET', prefix + key, token, 'NX', 'PX', String(leaseMs)])) return 'claimed'
      return String(await client.send(['GET', prefix + key])) === done ? 'done' : 'busy'
    },
    commit: ({ key, token, ttlMs }) => client.send(['EVAL', commitScript, '1', prefix + key, token, String(ttlMs)]),
    release: ({ key, token }) => client.send(['EVAL', releaseScript, '1', prefix + key, token]),
  }
}
