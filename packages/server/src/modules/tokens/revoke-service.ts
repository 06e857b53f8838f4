import type { TxApp } from '../../context.ts'
import * as queries from './queries.ts'

/** Apart from the service, which asks for members, because members ask for this. */
export const revokeTokensOf = (
  app: TxApp,
  { workspaceId, userId }: { workspaceId: number; userId: number },
): Promise<unknown> => queries.revokeTokensOf(app.db, { workspaceId, userId, at: app.clock.now() })
