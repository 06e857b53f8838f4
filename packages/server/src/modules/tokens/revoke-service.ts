import type { TxApp } from '../../context.ts'
import * as queries from './queries.ts'

/** Separate from the service, which imports members, because members imports this. */
export const revokeTokensOf = (
  app: TxApp,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<unknown> => queries.revokeTokensOf(app.db, { workspaceId, userId, at: app.clock.now() })
