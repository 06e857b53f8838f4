import type { auditAdminRoutes, auditExportRoutes } from '../../admin/audit.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page } from '../example-values.ts'

const description = 'All entries, oldest first, one JSON object per line. Objects and filters are those of the list.'

/** Documentation of the exports. */
export const auditExportDocs: DocsOf<typeof auditExportRoutes> = {
  'auditLog.export': { summary: 'Export changes in a workspace', description, responses: {} },
  'auditLog.exportAll': { summary: 'Export changes in the instance', description, responses: {} },
}

const entry = {
  id: 57,
  at: '2026-11-20T18:51:53.123456Z',
  actor: 'person:7',
  actor_name: 'Ada Obi',
  via: 'session:12',
  address: '203.0.113.7',
  operation: 'members.update',
  workspace_id: 1,
  resource: '9',
  resource_name: 'Ben Falk',
  before: { role: 'viewer' },
  after: { role: 'member' },
  request_id: '019a9f5e-2f0b-7c41-9b56-0d6a3c1f7e22',
}
const responses = { entries: page(entry) }

/** Documentation of the audit log. */
export const auditAdminDocs: DocsOf<typeof auditAdminRoutes> = {
  'auditLog.list': { summary: 'List changes in a workspace', description: 'Newest first.', responses },
  'auditLog.listAll': {
    summary: 'List changes in the instance',
    description: 'Newest first. Includes entries of all workspaces and those without a workspace.',
    responses,
  },
}
