import type { DocsOf } from '../../route-docs.ts'
import type { settingControlRoutes } from '../../test-controls/settings.ts'

/** Documentation of the controls of settings. */
export const settingControlDocs: DocsOf<typeof settingControlRoutes> = {
  'quirks.get': {
    summary: 'Get the quirks',
    description: 'Which of two readings holds where the documentation says two things.',
  },
  'quirks.set': {
    summary: 'Set quirks',
    description:
      '`created_status` (201, 200), `device_not_found_status` (422, 200), `unknown_workspace_status` (403, 404).',
    bodies: { 'created-is-200': { created_status: 200 } },
  },
  'limits.get': {
    summary: 'Get the limits',
    description: 'How many requests a minute are answered.',
    answers: { usual: { data: { requests_per_minute: 120 } } },
  },
  'limits.set': {
    summary: 'Set the limits',
    description: 'How many requests a minute are answered: a whole number, or "off".',
    bodies: { few: { requests_per_minute: 5 }, off: { requests_per_minute: 'off' } },
    answers: { few: { data: { requests_per_minute: 5 } } },
  },
}
