import type * as z from 'zod/mini'
import type { Integration, integrationAdminRoutes } from '../../admin/integrations.ts'
import type { DocsOf } from '../../route-docs.ts'

const errors = {
  integration: 'errors',
  enabled: true,
  has_secret: true,
  open_tickets: false,
  min_level: null,
  resolve_tickets: false,
  max_new_tickets: 20,
  mapping: null,
  time_zone: null,
  timestamp_format: null,
  updated_at: '2026-11-03T10:20:30.000001Z',
} satisfies z.output<typeof Integration>

/** Documentation of the administration of integrations. */
export const integrationAdminDocs: DocsOf<typeof integrationAdminRoutes> = {
  'integrations.list': {
    summary: 'List integrations',
    description: 'All integrations, including those that are not set up yet.',
    responses: { integrations: { data: [errors] } },
  },
  'integrations.get': { summary: 'Get an integration', responses: { integration: errors } },
  'integrations.update': {
    summary: 'Change an integration',
    description:
      'Omitted fields keep their values. Enabling error reports or attendance for the first time issues a secret, which only this response contains. For Git, `secret` is the one that the provider signs with, or null for none. `time_zone` and `timestamp_format` are for attendance: they say how times without a UTC offset are read.',
    bodies: {
      enable: { enabled: true },
      git: { enabled: true, open_tickets: true, secret: 'a-long-random-text' },
      errors: { min_level: 'warning', resolve_tickets: true },
      clock: { time_zone: 'Europe/Berlin', timestamp_format: 'iso_local' },
      mapping: { mapping: { fields: { message: 'data.error.message' }, ignore_when: "status == 'test'" } },
    },
    responses: { enabled: { ...errors, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' }, changed: errors },
  },
  'integrations.rotateSecret': {
    summary: 'Issue a new secret',
    description:
      'Only this response contains the secret. The previous one stops working immediately. Also enables an integration that is not set up yet.',
    responses: { integration: { ...errors, secret: 'YQ3bV8wq2LxT5rYbZ7mC4dPfH9sGaEuQ' } },
  },
}
