import type { App } from '../../context.ts'
import type { Fields } from '../../ui/page-types.ts'
import type { DueWork } from '../clock-control.ts'
import type { TestServer } from '../test-server.ts'
import type { DeliveryHub } from '../webhooks/delivery-hub.ts'

/** Where the pages of the double are. */
export const doublePath = '/dashboard/test'

/** What the pages of the double show and move. */
export interface DoubleParts {
  server(): TestServer
  readonly app: App
  readonly hub: Pick<DeliveryHub, 'inboxes'>
  readonly nextDueAt: DueWork['nextDueAt']
}

/** What a page of the double gets. */
export interface DoublePage extends DoubleParts {
  readonly query: Fields
  readonly form: Fields
  /** The address of a page of the double, e.g. `/requests/4`. */
  link(path: string): string
  /** Of the dashboard's own pages, with the prefix of a proxy. */
  readonly dashboardPath: string
  readonly zone: string
  /** Whether only what changes by itself is asked for. */
  readonly isFragment: boolean
}
