import type { DocsOf } from '../../route-docs.ts'
import type { clockControlRoutes } from '../../test-controls/clock.ts'

const answers = { frozen: { data: { now: '2026-11-20T18:51:53.123Z', frozen: true } } }

/** Documentation of the controls of the clock. */
export const clockControlDocs: DocsOf<typeof clockControlRoutes> = {
  'clock.get': { summary: 'Get the time', description: "The server's time, and whether the clock is frozen.", answers },
  'clock.set': {
    summary: 'Set the clock',
    description: 'To an instant (ISO 8601 with an offset). What falls due on the way is done first.',
    bodies: { instant: { at: '2026-11-20T18:51:53Z' } },
    answers,
  },
  'clock.advance': {
    summary: 'Advance the clock',
    description: 'By "25h", say, or a number of milliseconds. What falls due on the way is done first.',
    bodies: { duration: { by: '25h' }, milliseconds: { by: 1500 } },
    answers,
  },
  'clock.freeze': {
    summary: 'Freeze the clock',
    description: 'Now, or at an instant.',
    bodies: { now: {}, instant: { at: '2026-11-20T18:51:53Z' } },
    answers,
  },
  'clock.unfreeze': {
    summary: 'Unfreeze the clock',
    description: 'It continues from the time that it shows.',
    answers: { running: { data: { now: '2026-11-20T18:51:53.123Z', frozen: false } } },
  },
}
