import type { ReplayedDelivery } from '@service/contract/admin/inbound-deliveries'

// What a delivery has created, entry by entry. A replay corrects that instead of creating it again.

/** A report and the error that it was counted as. */
export interface CountedReport {
  /** The position in the body. */
  readonly place: string
  /** The key that it had. */
  readonly key: string
  /** The error. */
  readonly group: number
  /** Whether it opened the ticket of the error. */
  readonly opened?: boolean
}

/** What an entry was captured as. */
export interface CapturedEntry {
  /** The position in the body. */
  readonly place: string
  /** The inquiry. */
  readonly enquiry: number
  /** Whether it created the lead that has the inquiry. */
  readonly created?: boolean
}

/** The punch that a body recorded. A body that repeats a punch records none. */
export interface RecordedEntry {
  /** The position in the body. */
  readonly place: string
  /** The punch. */
  readonly punch: number
}

/** A field that a replay has corrected. */
export type Changed = ReplayedDelivery['changed'][number]

/** The entries of a stored delivery. Null if an earlier release stored it, which kept too little to correct it. */
export function parseEntries<Entry extends { readonly place: string }>(entries: string | null): Entry[] | null {
  const parsed: (Entry | string)[] = JSON.parse(entries ?? '[]')
  const isComplete = (entry: Entry | string) =>
    typeof entry !== 'string' && ['group', 'enquiry', 'punch'].some((name) => name in entry)
  return parsed.every(isComplete)
    ? (parsed as Entry[]) // written by `recordDelivery`
    : null
}
