import type { AdminRoute } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'

/** The fields of new records that an operation lacks. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // They never change.
  'devices.update': ['source_type', 'external_device_id'],
  'leads.update': ['source'],
  'members.update': ['email'],
  'punches.update': ['employee_id', 'device_id'],
  'rules.update': ['trigger'],
  'sharedViews.update': ['list', 'query'],
  'tasks.update': ['parent_id', 'tags', 'created_by'],
  'tickets.update': ['created_by'],
  'users.update': ['email'],
  // They belong to `user`, who is a member.
  'employees.get': ['name', 'email'],
  'employees.list': ['name', 'email'],
  'employees.update': ['user_id', 'name', 'email'],
  // Its rows have no place for them.
  'leads.list': ['notes'],
  'tasks.list': ['description', 'parent_id', 'tags', 'created_by'],
  'tickets.list': ['description', 'project_id'],
  // They are secret. Others see `header_names`, and no credentials.
  'sessions.list': ['email', 'password'],
  'webhooks.get': ['headers'],
  'webhooks.list': ['headers'],
}

const routes: readonly AdminRoute[] = adminRoutes

/** The fields of a record, of the data in an answer, or of each item of a page. */
function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  const { def } = schema?._zod ?? {}
  if (def?.type === 'array') return fieldsOf((def as z.core.$ZodArrayDef).element)
  if (def?.type !== 'object') return []
  const { shape } = def as z.core.$ZodObjectDef
  return shape['data'] === undefined ? Object.keys(shape) : fieldsOf(shape['data'])
}

test('each field of a new record is in the list, the answer, and the change of its resource', () => {
  const missing: Record<string, string[]> = {}
  for (const { operation, body } of routes.filter(({ operation }) => operation.endsWith('.create'))) {
    const others = ['list', 'get', 'update'].map((name) => operation.replace('create', name))
    for (const route of routes.filter((other) => others.includes(other.operation))) {
      const fields = fieldsOf(route.body ?? Object.values(route.responses)[0])
      const lacking = fieldsOf(body).filter((field) => !fields.includes(field))
      if (lacking.length > 0) missing[route.operation] = lacking
    }
  }
  expect(missing).toEqual(exceptions)
})
