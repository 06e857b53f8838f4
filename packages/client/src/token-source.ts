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

// Checked here because the error of the built-in `Headers` would repeat the token.
function requireToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('token must be a non-empty string without spaces, or a function that returns one.')
}

/** For calls without a token. */
export const noToken: TokenSource = { get: () => '', refuse: () => false, known: () => undefined }

export function tokenSource(token: Token): TokenSource {
  if (typeof token === 'function') return fetchedToken(token)
  const fixed = requireToken(token)
  return { get: () => fixed, refuse: () => false, known: () => fixed }
}

function fetchedToken(fetchToken: () => string | Promise<string>): TokenSource {
  let current: string | undefined
  let pending: Promise<string> | undefined

  async function load(): Promise<string> {
    current = requireToken(await fetchToken())
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
