import type { App } from '../../context.ts'
import type { Fields } from '../../ui/page-types.ts'
import type { DueWork } from '../clock-control.ts'
import type { TestServer } from '../test-controls.ts'
import type { DeliveryHub } from '../webhooks/delivery-hub.ts'

/** The path prefix of these pages. */
export const doublePath = '/dashboard/test'

/** The parts of the server that the pages use. */
export interface DoubleParts {
  readonly server: TestServer
  readonly app: App
  readonly hub: Pick<DeliveryHub, 'inboxes'>
  readonly nextDueAt: DueWork['nextDueAt']
}

/** The context of one page. */
export interface DoublePage extends DoubleParts {
  readonly form: Fields
  /** The address of a page of the double, e.g. `/requests/4`. */
  link(path: string): string
  /** The path of the dashboard, with the prefix of a proxy. */
  readonly dashboardPath: string
  readonly zone: string
  /** Whether the request is for the polled part only. */
  readonly isFragment: boolean
}
