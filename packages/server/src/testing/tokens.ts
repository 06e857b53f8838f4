import type { ApiToken, NewApiToken, Scope } from '@service/client/admin'
import type { App } from '../context.ts'
import { formatInstant, microsPerSecond } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import { keysOf, requireKnown } from '../core/known-keys.ts'
import { findCaller, revokeToken } from '../modules/tokens/service.ts'
import { type Duration, toMicros } from './duration.ts'
import type { Create } from './factories/factories.ts'
import type { Ref } from './factories/factory-fields.ts'

/** Issues and revokes tokens of the REST API. */
export interface TokenControl {
  /** Defaults to the oldest workspace and its oldest member, every live scope, and no expiry. */
  issue(options?: TokenOptions): Promise<IssuedToken>
  /** Takes effect immediately: the next request gets 401. Pass the token's text or the result of `issue`. */
  revoke(token: string | Pick<ApiToken, 'id' | 'workspace_id'>): Promise<ApiToken>
}

/** Options of a new token. */
export interface TokenOptions {
  readonly workspace?: Ref | undefined
  /** The user it acts as: a member's id, a member, or an e-mail address. */
  readonly user?: Ref | undefined
  readonly scopes?: readonly Scope[] | undefined
  /** By the server's clock, e.g. `'1h'`. */
  readonly expiresIn?: Duration | undefined
  readonly name?: string | undefined
  /** Fixes the text: `service_test_` and 1–64 letters, digits, `_`, or `-`. */
  readonly token?: string | undefined
}

const optionNames = keysOf<TokenOptions>({
  workspace: true,
  user: true,
  scopes: true,
  expiresIn: true,
  name: true,
  token: true,
})

/** A token with its text. */
export type IssuedToken = NewApiToken

export function createTokenControl(app: App, create: Pick<Create, 'token'>): TokenControl {
  return {
    async issue(options = {}) {
      requireKnown(options, optionNames, '`tokens.issue`')
      const { workspace, user, scopes, expiresIn, name, token } = options
      return create.token({
        workspace,
        user_id: user,
        name,
        token,
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
        ...(expiresIn === undefined ? {} : { expires_at: toExpiry(app, expiresIn) }),
      })
    },
    async revoke(token) {
      return revokeToken(app, await tokenRef(app, token))
    },
  }
}

/** Expiry is rounded up to whole seconds, as over HTTP. */
const toExpiry = ({ clock }: App, expiresIn: Duration) =>
  formatInstant(Math.ceil((clock.now() + toMicros(expiresIn, 'expiresIn')) / microsPerSecond) * microsPerSecond)

async function tokenRef(app: App, token: string | Pick<ApiToken, 'id' | 'workspace_id'>) {
  if (typeof token !== 'string') return { workspaceId: token.workspace_id, id: token.id }
  const caller = await findCaller(app, token)
  if (caller === undefined) throw new ApiError('not_found', 'The token does not exist or is no longer valid.')
  return { workspaceId: caller.workspaceId, id: caller.tokenId }
}
