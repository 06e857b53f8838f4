import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import { acrossWorkspaces } from '../../store/workspace-keys.ts'
import type { IntegrationsTable } from './table.ts'

export type IntegrationRow = IntegrationsTable

const byKind = prepared<{ workspaceId: number; kind: string }, IntegrationRow>((db, param) =>
  db
    .selectFrom('integrations')
    .selectAll()
    .where('workspace_id', '=', param('workspaceId'))
    .where('kind', '=', param('kind')),
)

export const findIntegration = async (db: Db, workspaceId: number, kind: string): Promise<IntegrationRow | undefined> =>
  (await byKind(db, { workspaceId, kind }))[0]

export const listIntegrations = (db: Db, workspaceId: number) =>
  db.selectFrom('integrations').selectAll().where('workspace_id', '=', workspaceId).orderBy('kind').execute()

const unset = { enabled: 0, secret_hash: null, secret_encrypted: null, settings: '{}' }

/** Updates only the columns in `changed`. A missing row is inserted with them. */
export const upsertIntegration = (
  db: Db,
  key: Pick<IntegrationsTable, 'workspace_id' | 'kind'>,
  changed: Partial<IntegrationsTable> & Pick<IntegrationsTable, 'updated_at'>,
) =>
  db
    .insertInto('integrations')
    .values({ ...key, ...unset, created_at: changed.updated_at, ...changed })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'kind']).doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Integrations with an encrypted secret, in all workspaces. */
export const listEncrypted = (db: Db) =>
  db
    .selectFrom('integrations')
    .select(['workspace_id', 'kind', 'secret_encrypted'])
    .where('secret_encrypted', 'is not', null)
    .$narrowType<{ secret_encrypted: string }>()
    .orderBy('workspace_id')
    .orderBy('kind')
    .modifyEnd(acrossWorkspaces('encryption'))
    .execute()

export const disable = (db: Db, workspaceId: number, kind: string) =>
  db
    .updateTable('integrations')
    .set({ enabled: 0 })
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .execute()
