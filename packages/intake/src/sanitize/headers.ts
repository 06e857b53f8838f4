/** A plain record, or an iterable of pairs such as `Headers`. A plain record can be sent to another thread. */
export type DeliveryHeaders = Readonly<Record<string, string | undefined>> | Iterable<readonly [string, string]>

const toPairs = (headers: DeliveryHeaders): Iterable<readonly [string, string | undefined]> =>
  Symbol.iterator in headers ? headers : Object.entries(headers)

/**
 * Case-insensitive. Repeated headers are joined with a comma, as HTTP specifies; the strict patterns that check
 * signatures then refuse them, so an attacker cannot add a second one.
 */
export const findHeader = (headers: DeliveryHeaders, name: string): string | null => {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (const [key, value] of toPairs(headers))
    if (value !== undefined && key.toLowerCase() === wanted) values.push(value)
  return values.length === 0 ? null : values.join(', ')
}
