import type { Overview } from '@service/client/admin'
import type { Bar, Series } from '../../ui/components/chart.tsx'
import { clockTime } from '../../ui/format.ts'

export const deliverySeries: readonly Series[] = [
  { name: 'Delivered', tone: 'accent' },
  { name: 'Failed', tone: 'bad' },
]

/** The deliveries of the last day by the hour in which their event happened: those that arrived, and those that did not yet. */
export const deliveryHours = ({ parts }: Pick<Overview, 'parts'>, zone: string): readonly Bar[] =>
  parts.map(({ starts_at, deliveries_succeeded, deliveries_failed }, index) => ({
    label: index === parts.length - 1 ? 'Now' : clockTime(Date.parse(starts_at), zone),
    values: [deliveries_succeeded, deliveries_failed],
  }))
