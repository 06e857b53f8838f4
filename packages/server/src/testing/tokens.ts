import type { Scope } from '@service/contract'
import { ApiError } from '../api-error.ts'
import { microsPerSecond } from '../clock.ts'
import type { App } from '../context.ts'
import { toInstant } from '../instants.ts'
import { type ApiToken, findCaller, revokeToken } from '../modules/tokens/service.ts'
import { type Duration, toMicros } from './duration.ts'
import type { Create } from './factories/factories.ts'
import type { Ref } from './factories/recipe.ts'

/** Tokens of the REST API, as many and as weak as a test needs them. */
export interface TokenControl {
  /** For the oldest workspace and its oldest member unless told otherwise; with every live scope, and without an end. */
  issue(options?: TokenOptions): Promise<IssuedToken>
  /** Works at once: the next request with it gets 401. Takes the token's text or what `issue` gave. */
  revoke(token: string | Pick<ApiToken, 'id' | 'workspace_id'>): Promise<ApiToken>
}

export interface TokenOptions {
  readonly workspace?: Ref
  /** Who it acts as: a member's id, the member, or the e-mail. */
  readonly user?: Ref
  readonly scopes?: readonly Scope[]
  /** By the server's clock, e.g. `'1h'`. */
  readonly expiresIn?: Duration
  readonly name?: string
  /** Pins the text: `service_test_` and 1–64 letters, digits, `_` or `-`. */
  readonly token?: string
}

export type IssuedToken = ApiToken & { readonly token: string }

export function createTokenControl(app: App, create: Pick<Create, 'token'>): TokenControl {
  return {
    issue({ workspace, user, scopes, expiresIn, name, token } = {}) {
      return create.token({
        workspace,
        user_id: user,
        name,
        token,
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
        ...(expiresIn === undefined ? {} : { expires_at: expiryOf(app, expiresIn) }),
      })
    },
    async revoke(token) {
      if (typeof token !== 'string') return revokeToken(app, { workspaceId: token.workspace_id, id: token.id })
      const caller = await findCaller(app, token)
      if (caller === undefined) throw new ApiError('not_found', 'There is no such token, or it does not work any more.')
      return revokeToken(app, { workspaceId: caller.workspaceId, id: caller.tokenId })
    },
  }
}

/** Tokens end at whole seconds, as those who issue them over HTTP write it; never a moment early. */
const expiryOf = ({ clock }: App, expiresIn: Duration) =>
  toInstant(Math.ceil((clock.now() + toMicros(expiresIn)) / microsPerSecond) * microsPerSecond)
