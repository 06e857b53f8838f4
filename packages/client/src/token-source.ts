/** The bearer token: a fixed one, or a function that fetches it and is asked again when the platform refuses it. */
export type Token = string | (() => string | Promise<string>)

/** Gives the current token; `refuse` makes it ask anew, once for all calls that wait. */
export interface TokenSource {
  readonly get: () => string | Promise<string>
  /** True when another token may be had. */
  readonly refuse: (token: string) => boolean
  /** The token at hand, to keep it out of messages. */
  readonly known: () => string | undefined
}

// Checked here because the error of the built-in `Headers` would repeat the token.
function requireToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('token must be a non-empty string without spaces, or a function giving one.')
}

/** For calls that need no token: none is sent. */
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
      // A call that comes late with the old token must not throw away the new one.
      if (current === token) current = undefined
      return true
    },
    known: () => current,
  }
}
