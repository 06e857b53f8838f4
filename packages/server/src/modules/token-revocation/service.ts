import type { TxApp } from '../../context.ts'
import * as queries from './queries.ts'

/** The tokens that a person created for others end with the role that allowed it; without a workspace, in all of them. */
export const revokeTokensCreatedBy = (
  app: TxApp,
  { workspaceId, userId }: { workspaceId?: number; userId: number },
): Promise<unknown> => queries.revokeTokensCreatedBy(app.db, { workspaceId, userId, at: app.clock.now() })

/** Tokens build on members. So what a removed member loses is revoked here. */
export const revokeMemberTokens = (
  app: TxApp,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<unknown> => queries.revokeMemberTokens(app.db, { workspaceId, userId, at: app.clock.now() })
