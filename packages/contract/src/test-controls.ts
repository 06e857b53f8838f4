import type { ControlRoute, UnknownParams } from './route.ts'
import { clockControlRoutes } from './test-controls/clock.ts'
import { dataControlRoutes } from './test-controls/data.ts'
import { faultControlRoutes } from './test-controls/faults.ts'
import { inboxControlRoutes } from './test-controls/inboxes.ts'
import { journalControlRoutes } from './test-controls/journal.ts'
import { settingControlRoutes } from './test-controls/settings.ts'
import { stateControlRoutes } from './test-controls/state.ts'

// Imported as `@service/contract/test-controls` and never through the index, because production does not use it.

/** The routes with which a test in any language controls the test server. */
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
