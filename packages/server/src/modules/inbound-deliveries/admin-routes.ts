import type { ReadList } from '../../read-list.ts'
import { listDeliveries } from './service.ts'

export const inboundDeliveryReads = { 'deliveries-in': listDeliveries } satisfies Record<string, ReadList>
