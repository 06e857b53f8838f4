import * as z from 'zod/mini'
import { dataOf } from '../fields.ts'
import type { ControlRoute } from '../route.ts'
import type { DocsOf } from '../route-docs.ts'
import { control } from './control-route.ts'

const At = z.string()
const answers = { 200: dataOf(z.object({ now: z.string(), frozen: z.boolean() })) } as const
const move = { ...control, method: 'POST', answers } as const

export const clockControlRoutes = [
  { ...control, operation: 'clock.get', method: 'GET', path: '/clock', answers },
  { ...move, operation: 'clock.set', path: '/clock/set', body: z.object({ at: At }) },
  {
    ...move,
    operation: 'clock.advance',
    path: '/clock/advance',
    body: z.object({ by: z.union([z.string(), z.number()]) }),
  },
  { ...move, operation: 'clock.freeze', path: '/clock/freeze', body: z.object({ at: z.optional(At) }) },
  { ...move, operation: 'clock.unfreeze', path: '/clock/unfreeze' },
] as const satisfies readonly ControlRoute[]

/** Documentation of the controls of the clock. */
export const clockControlDocs = (): DocsOf<typeof clockControlRoutes> => {
  const answers = { frozen: { data: { now: '2026-11-20T18:51:53.123Z', frozen: true } } }
  return {
    'clock.get': {
      tag: 'Clock',
      summary: 'Get the time',
      description: "The server's time, and whether the clock is frozen.",
      answers,
    },
    'clock.set': {
      tag: 'Clock',
      summary: 'Set the clock',
      description: 'To an instant (ISO 8601 with an offset). What falls due on the way is done first.',
      bodies: { instant: { at: '2026-11-20T18:51:53Z' } },
      answers,
    },
    'clock.advance': {
      tag: 'Clock',
      summary: 'Advance the clock',
      description: 'By "25h", say, or a number of milliseconds. What falls due on the way is done first.',
      bodies: { duration: { by: '25h' }, milliseconds: { by: 1500 } },
      answers,
    },
    'clock.freeze': {
      tag: 'Clock',
      summary: 'Freeze the clock',
      description: 'Now, or at an instant.',
      bodies: { now: {}, instant: { at: '2026-11-20T18:51:53Z' } },
      answers,
    },
    'clock.unfreeze': {
      tag: 'Clock',
      summary: 'Unfreeze the clock',
      description: 'It continues from the time that it shows.',
      answers: { running: { data: { now: '2026-11-20T18:51:53.123Z', frozen: false } } },
    },
  }
}
