import type { Migration } from '../migrate.ts'
import { foundation } from './0001-foundation.ts'
import { inbound } from './0002-inbound.ts'
import { delivery } from './0003-delivery.ts'
import { messages } from './0004-messages.ts'
import { automation } from './0005-automation.ts'
import { deliverySettings } from './0006-delivery-settings.ts'

/** In order; never edited after a release, only added to. */
export const migrations: readonly Migration[] = [foundation, inbound, delivery, messages, automation, deliverySettings]
