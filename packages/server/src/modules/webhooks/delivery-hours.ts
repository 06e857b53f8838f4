import type { WebhookDelivery } from '@service/client/admin'
import type { Bar, Series } from '../../ui/components/chart.tsx'
import { clockTime } from '../../ui/format.ts'

const hourMs = 3_600_000
const hours = 24

export const deliverySeries: readonly Series[] = [
  { name: 'Delivered', tone: 'accent' },
  { name: 'Failed', tone: 'bad' },
]

/** The deliveries of the last day by the hour in which their event happened: those that arrived, and those that did not yet. */
export function deliveryHours(
  deliveries: readonly WebhookDelivery[],
  { now, zone }: { readonly now: number; readonly zone: string },
): readonly Bar[] {
  const first = Math.floor(now / hourMs) - hours + 1
  const counts = Array.from({ length: hours }, () => [0, 0])
  for (const delivery of deliveries) {
    const count = counts[Math.floor(Date.parse(delivery.created_at) / hourMs) - first]
    const kind = kindOf(delivery)
    if (count !== undefined && kind !== undefined) count[kind] = (count[kind] ?? 0) + 1
  }
  return counts.map((values, index) => ({
    label: index === hours - 1 ? 'Now' : clockTime((first + index) * hourMs, zone),
    values,
  }))
}

/** One that waits for its first attempt is neither. */
function kindOf({ state, attempts }: WebhookDelivery): 0 | 1 | undefined {
  if (state === 'succeeded') return 0
  return state === 'failed' || attempts > 0 ? 1 : undefined
}

/** Whether something happened before the last day. */
export const isBeforeLastDay = (at: string, now: number): boolean =>
  Date.parse(at) < (Math.floor(now / hourMs) - hours + 1) * hourMs
