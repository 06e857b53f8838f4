import type { DocsOf } from '../route-docs.ts'
import type { controlRoutes } from '../test-controls.ts'
import { clockControlDocs } from './test-controls/clock.ts'
import { dataControlDocs } from './test-controls/data.ts'
import { faultControlDocs } from './test-controls/faults.ts'
import { inboxControlDocs } from './test-controls/inboxes.ts'
import { journalControlDocs } from './test-controls/journal.ts'
import { settingControlDocs } from './test-controls/settings.ts'
import { stateControlDocs } from './test-controls/state.ts'

/** Summary, description and examples of each control. */
export const controlDocs: DocsOf<typeof controlRoutes> = {
  ...stateControlDocs,
  ...clockControlDocs,
  ...dataControlDocs,
  ...faultControlDocs,
  ...journalControlDocs,
  ...inboxControlDocs,
  ...settingControlDocs,
}
