import { canonicalTimeZone } from '@service/contract/admin/time-zone'

// The choices for where a workspace is.

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })
export const currencyOptions = [
  { value: '', label: 'None' },
  ...Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value}, ${currencyNames.of(value)}` })),
]

export const zoneOptions = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone')
    .map((name) => canonicalTimeZone(name) ?? name)
    .sort(),
].map((value) => ({ value, label: value }))
