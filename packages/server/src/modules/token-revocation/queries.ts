import type { Db } from '../../store/database.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'

/** Revokes all API tokens of a person in a workspace. */
export const revokeMemberTokens = (
  db: Db,
  { workspaceId, userId, at }: { workspaceId: number; userId: number; at: number },
) =>
  db
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()

/** Revokes the API tokens that a person created for others. */
export const revokeTokensCreatedBy = (
  db: Db,
  { workspaceId, userId, at }: { workspaceId: number | undefined; userId: number; at: number },
) => {
  const ended = db
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
  return workspaceId === undefined
    ? ended.modifyEnd(acrossWorkspaces('membership')).execute()
    : ended.where('workspace_id', '=', workspaceId).execute()
}
