import type { controlRoutes } from '@service/contract/test-controls'
import type { ControlHandlers } from './control-route.ts'
import { clockControls } from './routes/clock.ts'
import { dataControls } from './routes/data.ts'
import { faultControls } from './routes/faults.ts'
import { inboxControls } from './routes/inboxes.ts'
import { journalControls } from './routes/journal.ts'
import { settingControls } from './routes/settings.ts'
import { stateControls } from './routes/state.ts'

/** Everything a test in another language can do, one line per file. */
export const controls = {
  ...stateControls,
  ...clockControls,
  ...dataControls,
  ...faultControls,
  ...journalControls,
  ...inboxControls,
  ...settingControls,
} satisfies ControlHandlers<typeof controlRoutes>
