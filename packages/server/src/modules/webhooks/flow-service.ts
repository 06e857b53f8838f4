import type { App } from '../../core/context.ts'
import { countByPart, type DeliveryPeriod } from './flow-queries.ts'

/** How many deliveries of events of each part of a period have arrived, and how many have failed. */
export async function countDeliveries({ db }: App, period: DeliveryPeriod & { readonly parts: number }) {
  const rows = await countByPart(db, period)
  const counted = (wanted: boolean) => {
    const counts = Array.from({ length: period.parts }, () => 0)
    for (const { part, arrived, deliveries } of rows) if (arrived === wanted) counts[part] = deliveries
    return counts
  }
  return { succeeded: counted(true), failed: counted(false) }
}
