import { gitHosts } from '@service/intake/git/hosts/index'
import { serveReadings } from '../../core/body-reading-thread.ts'
import type { RawDelivery } from './inbound.ts'

/** Worker thread that parses large Git deliveries; see `inbound.ts`. */
serveReadings(({ host, headers, body }: RawDelivery) => gitHosts[host].readEvent(headers, body))
