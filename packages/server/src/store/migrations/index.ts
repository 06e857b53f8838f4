import { foundation } from './0001-foundation.ts'
import { inbound } from './0002-inbound.ts'
import { delivery } from './0003-delivery.ts'
import { messages } from './0004-messages.ts'
import { automation } from './0005-automation.ts'
import { deliverySettings } from './0006-delivery-settings.ts'
import { people } from './0007-people.ts'
import { search } from './0008-search.ts'
import { operations } from './0009-operations.ts'
import { overview } from './0010-overview.ts'
import { memberNames } from './0011-member-names.ts'
import { workspaceCurrency } from './0012-workspace-currency.ts'
import type { Migration } from './migration.ts'

/** In order; never edited after a release, only added to. */
export const migrations: readonly Migration[] = [
  foundation,
  inbound,
  delivery,
  messages,
  automation,
  deliverySettings,
  people,
  search,
  operations,
  overview,
  memberNames,
  workspaceCurrency,
]
