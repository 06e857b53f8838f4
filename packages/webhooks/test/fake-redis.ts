import type { RedisClient } from '../src/dedupe.ts'

/** An in-memory Redis with the commands that the store uses and a manual clock. */
export function fakeRedis(now: () => number): RedisClient {
  const entries = new Map<string, { value: string; expiresAt: number }>()

  const get = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > now() ? entry.value : null
  }

  const set = ([key = '', value = '', ...options]: string[]) => {
    if (options.includes('NX') && get(key) !== null) return null
    entries.set(key, { value, expiresAt: now() + Number(options[options.indexOf('PX') + 1]) })
    return 'OK'
  }

  /** Both scripts compare the value with the token first. Then one sets the key, and the other deletes it. */
  const evaluate = ([script = '', , key = '', token, ttlMs = '']: string[]) => {
    if (get(key) !== token) return null
    if (script.includes("'DEL'")) return entries.delete(key) ? 1 : 0
    return set([key, 'done', 'PX', ttlMs])
  }

  return {
    async send([name, ...rest]) {
      if (name === 'SET') return set(rest)
      if (name === 'GET') return get(rest[0] ?? '')
      if (name === 'EVAL') return evaluate(rest)
      throw new Error(`unexpected command ${name}`)
    },
  }
}
