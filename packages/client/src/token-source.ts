/** The bearer token, or a function that fetches it and is called again after the platform rejects it. */
export type Token = string | (() => string | Promise<string>)

/** Provides the current token. After `refuse`, the next `get` fetches a new one, once for all waiting calls. */
export interface TokenSource {
  readonly get: () => string | Promise<string>
  /** True if another token may be available. */
  readonly refuse: (token: string) => boolean
  /** The current token, to remove it from messages. */
  readonly known: () => string | undefined
}

/** The application's token cannot be used. */
export class TokenError extends TypeError {}

// Checked here because the error of the built-in `Headers` would repeat the token.
function requireToken(token: unknown, subject: string): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  const found = typeof token === 'string' ? token && 'one with other characters' : typeof token
  throw new TokenError(`${subject} must be a token of visible ASCII characters, not ${found || 'an empty string'}.`)
}

/** For calls without a token. */
export const noToken: TokenSource = { get: () => '', refuse: () => false, known: () => undefined }

export function tokenSource(token: Token): TokenSource {
  if (typeof token === 'function') return fetchedToken(token)
  const fixed = requireToken(token, 'token')
  return { get: () => fixed, refuse: () => false, known: () => fixed }
}

function fetchedToken(fetchToken: () => string | Promise<string>): TokenSource {
  let current: string | undefined
  let pending: Promise<string> | undefined

  async function load(): Promise<string> {
    current = requireToken(await fetchToken(), 'the result of the token function')
    return current
  }
  const loadOnce = () => {
    pending ??= load().finally(() => {
      pending = undefined
    })
    return pending
  }

  return {
    get: () => current ?? loadOnce(),
    refuse: (token) => {
      // A late rejection of the old token must not discard the new one.
      if (current === token) current = undefined
      return true
    },
    known: () => current,
  }
}
