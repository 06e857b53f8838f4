import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { control } from './control-route.ts'

const quirks = { 200: dataOf(z.unknown()) } as const
/** Which values a quirk can have, the server says in words. */
const NewQuirks = z.object({
  created_status: z.optional(z.unknown()),
  device_not_found_status: z.optional(z.unknown()),
  unknown_workspace_status: z.optional(z.unknown()),
})
const Limit = z.union([z.literal('off'), z.int().check(z.positive())])
const Limits = z.object({ requests_per_minute: Limit })
const limits = { 200: dataOf(Limits) } as const

export const settingControlRoutes = [
  { ...control, operation: 'quirks.get', method: 'GET', path: '/quirks', answers: quirks },
  { ...control, operation: 'quirks.set', method: 'POST', path: '/quirks', body: NewQuirks, answers: quirks },
  { ...control, operation: 'limits.get', method: 'GET', path: '/limits', answers: limits },
  { ...control, operation: 'limits.set', method: 'POST', path: '/limits', body: Limits, answers: limits },
] as const satisfies readonly ControlRoute[]

/** Documentation of the controls of settings. */
export const settingControlDocs = (): DocsOf<typeof settingControlRoutes> => ({
  'quirks.get': {
    tag: 'Settings',
    summary: 'Get the quirks',
    description: 'Which of two readings holds where the documentation says two things.',
  },
  'quirks.set': {
    tag: 'Settings',
    summary: 'Set quirks',
    description:
      '`created_status` (201, 200), `device_not_found_status` (422, 200), `unknown_workspace_status` (403, 404).',
    bodies: { 'created-is-200': { created_status: 200 } },
  },
  'limits.get': {
    tag: 'Settings',
    summary: 'Get the limits',
    description: 'How many requests a minute are answered.',
    answers: { usual: { data: { requests_per_minute: 120 } } },
  },
  'limits.set': {
    tag: 'Settings',
    summary: 'Set the limits',
    description: 'How many requests a minute are answered: a whole number, or "off".',
    bodies: { few: { requests_per_minute: 5 }, off: { requests_per_minute: 'off' } },
    answers: { few: { data: { requests_per_minute: 5 } } },
  },
})
