import type { ControlRoute, UnknownParams } from './route.ts'
import type { DocsOf } from './route-docs.ts'
import { clockControlDocs, clockControlRoutes } from './test-controls/clock.ts'
import { dataControlDocs, dataControlRoutes } from './test-controls/data.ts'
import { faultControlDocs, faultControlRoutes } from './test-controls/faults.ts'
import { inboxControlDocs, inboxControlRoutes } from './test-controls/inboxes.ts'
import { journalControlDocs, journalControlRoutes } from './test-controls/journal.ts'
import { settingControlDocs, settingControlRoutes } from './test-controls/settings.ts'
import { stateControlDocs, stateControlRoutes } from './test-controls/state.ts'

// Imported as `@service/contract/test-controls` and never through the index: production has no use for it.

/** Everything that a test in any language can ask of the test double. */
export const controlRoutes = [
  ...stateControlRoutes,
  ...clockControlRoutes,
  ...dataControlRoutes,
  ...faultControlRoutes,
  ...journalControlRoutes,
  ...inboxControlRoutes,
  ...settingControlRoutes,
] as const satisfies readonly ControlRoute[]

type All = (typeof controlRoutes)[number]
true satisfies [UnknownParams<All>] extends [never] ? true : `path-params.ts lacks ${UnknownParams<All>}`

/** Summary, description and examples of each control. */
export const controlDocs = (): DocsOf<typeof controlRoutes> => ({
  ...stateControlDocs(),
  ...clockControlDocs(),
  ...dataControlDocs(),
  ...faultControlDocs(),
  ...journalControlDocs(),
  ...inboxControlDocs(),
  ...settingControlDocs(),
})
