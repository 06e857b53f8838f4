import { nearest } from '@service/contract/nearest'

/**
 * Throws a TypeError for a misspelled name. Other unknown names are ignored, so that a larger object can be spread.
 * Short names are ignored too, because `page` resembles `pace` without being a misspelling.
 */
export function refuseMisspelledNames(owner: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (name.length > 5 && nearest(name, known)) requireKnownNames(owner, { [name]: name }, known)
}

/** Throws a TypeError for an unknown name, with the closest known one or all of them. */
export function requireKnownNames(owner: string, given: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const closest = nearest(unknown, known)
  throw new TypeError(
    `${owner} has no ${unknown}. ${closest ? `Did you mean ${closest}?` : `It has ${known.join(', ')}.`}`,
  )
}
