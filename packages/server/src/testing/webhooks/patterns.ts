import type { EventPattern } from '@service/client/admin'
import { eventNames } from '@service/contract'

export const isMeant = (patterns: readonly EventPattern[], name: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === name || isFamily(pattern, name))

const isFamily = (pattern: string, name: string) => pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))

/** Throws a TypeError for what fits no event. */
export function toPatterns(given: EventPattern | readonly EventPattern[]): EventPattern[] {
  const patterns = [given].flat()
  const strange = patterns.find((pattern) => !eventNames.some((name) => isMeant([pattern], name)))
  if (patterns.length > 0 && strange === undefined) return patterns
  throw new TypeError(
    `No event fits ${JSON.stringify(strange ?? given)}. There are ${eventNames.join(', ')}, families such as 'ticket.*', and '*'.`,
  )
}
