import * as z from 'zod/mini'
import { JsonLines } from '../bytes.ts'
import { instant, integerId } from '../fields.ts'
import type { AdminRoute } from '../route.ts'
import { pageOf, pageQuery } from './pages.ts'
import { list, workspace } from './route-kinds.ts'

/** A resource or its changed fields, without secrets. */
const State = z.nullable(z.record(z.string(), z.unknown()))

/** One administrative change. Entries never change, and are removed only by age. */
export const AuditEntry = z.object({
  id: integerId,
  at: instant,
  /** `person:7`, `api_token:3`, `instance_token`, `in_process` or `command_line`. */
  actor: z.string(),
  /** The name of the person or token at that time. */
  actor_name: z.nullable(z.string()),
  /** The person's credential: `session:12` or `personal_token:4`. */
  via: z.nullable(z.string()),
  address: z.string(),
  operation: z.string(),
  workspace_id: z.nullable(integerId),
  /** The changed resource, as the path or the response names it. */
  resource: z.nullable(z.string()),
  /** The name or title of the resource at that time. */
  resource_name: z.nullable(z.string()),
  before: State,
  after: State,
  request_id: z.string(),
})

export type AuditEntry = z.output<typeof AuditEntry>

const auditFilters = {
  actor: z.optional(z.string()),
  operation: z.optional(z.string()),
  /** Instants with an offset. `since` is inclusive, `until` is exclusive. */
  since: z.optional(z.iso.datetime({ offset: true })),
  until: z.optional(z.iso.datetime({ offset: true })),
}

export const AuditFilters = z.object(auditFilters)

export const AuditQuery = z.object({ ...pageQuery, ...auditFilters })

export type AuditQuery = Partial<z.output<typeof AuditQuery>>

const log = { ...list, query: AuditQuery, responses: { 200: pageOf(AuditEntry) } } as const

export const auditAdminRoutes = [
  { ...log, operation: 'auditLog.list', path: `${workspace}/audit-log`, role: 'admin' },
  { ...log, operation: 'auditLog.listAll', path: '/audit-log', role: 'instance' },
] as const satisfies readonly AdminRoute[]

const lines = { ...list, query: AuditFilters, responses: { 200: JsonLines } } as const

/** Routes that return a stream. They are separate because the client has no methods for them. */
export const auditExportRoutes = [
  { ...lines, operation: 'auditLog.export', path: `${workspace}/audit-log/export`, role: 'admin' },
  { ...lines, operation: 'auditLog.exportAll', path: '/audit-log/export', role: 'instance' },
] as const satisfies readonly AdminRoute[]
