import { countChanges } from '../../store/change-count.ts'
import type { Store } from '../../store/store.ts'
import type { FoundToken } from './queries.ts'

/** Tokens that were found lately, until a commit may have changed them: a request need not ask the database for its own. */
export interface TokenCache {
  /** What is known of a token by its hash, or else what `look` finds. */
  find(hash: string, look: () => Promise<KeptToken | undefined>): Promise<KeptToken | undefined>
}

export interface KeptToken extends FoundToken {
  readonly expires_at: number | null
  readonly revoked_at: number | null
}

/** Some 5 MB. */
const mostTokens = 10_000

export function createTokenCache(store: Store): TokenCache | undefined {
  if (store.dialect !== 'sqlite') return undefined
  const { versionOf, versionOfAll } = countChanges(store, (table) => {
    if (table === 'api_tokens') return 'workspace'
    // What a token's person is called, and whether they may come in, is the same in every workspace.
    return table === undefined || table === 'users' ? 'everything' : 'nothing'
  })
  const kept = new Map<string, { readonly token: KeptToken; readonly version: string | undefined }>()
  return {
    async find(hash, look) {
      const known = kept.get(hash)
      if (known !== undefined) {
        const version = versionOf(known.token.workspace_id)
        if (version !== undefined && version === known.version) return known.token
        kept.delete(hash)
      }
      const before = versionOfAll()
      const token = await look()
      if (token === undefined || before === undefined || versionOfAll() !== before) return token
      kept.set(hash, { token, version: versionOf(token.workspace_id) })
      const [oldest] = kept.keys()
      if (kept.size > mostTokens && oldest !== undefined) kept.delete(oldest)
      return token
    },
  }
}
