import type { DedupeStore } from './store.ts'

/** What is needed of a client: a function that sends one command, all its parts as text. */
export interface RedisClient {
  send(command: string[]): Promise<unknown>
}

const done = 'done'

// Compare and act in one step: between two commands the lease might end and another process take over.
const commitScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('SET', KEYS[1], '${done}', 'PX', ARGV[2]) end`
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`

/**
 * For processes that share a Redis or Valkey. Expiry is its own, by its own clock.
 *
 * @example
 * redisStore({ send: (command) => nodeRedis.sendCommand(command) })
 * redisStore({ send: ([name = '', ...rest]) => ioredis.call(name, ...rest) })
 */
export function redisStore(
  client: RedisClient,
  { prefix = 'webhook:' }: { readonly prefix?: string } = {},
): DedupeStore {
  return {
    async claim({ key, token, leaseMs }) {
      const taken = await client.send(['SET', prefix + key, token, 'NX', 'PX', String(leaseMs)])
      if (taken !== null && taken !== undefined) return 'claimed'
      return String(await client.send(['GET', prefix + key])) === done ? 'done' : 'busy'
    },
    commit: ({ key, token, ttlMs }) => client.send(['EVAL', commitScript, '1', prefix + key, token, String(ttlMs)]),
    release: ({ key, token }) => client.send(['EVAL', releaseScript, '1', prefix + key, token]),
  }
}
