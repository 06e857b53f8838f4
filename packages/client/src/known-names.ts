import { nearest } from '@service/contract/nearest'

// Options of other clients.
const synonyms: readonly (readonly [RegExp, string])[] = [
  [/agent|^(dispatcher|proxy|cache|credentials|next)$/i, 'fetchOptions'],
  [/^retr(y|ies)$/, 'maxRetries'],
  [/^apiKey$/, 'token'],
]

/** Throws a TypeError for an unknown name, with the closest known one or all of them. */
export function requireKnownNames(owner: string, given: object | undefined, known: readonly string[]): void {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const closest =
    synonyms.find(([name, ours]) => name.test(unknown) && known.includes(ours))?.[1] ?? nearest(unknown, known)
  throw new TypeError(
    `${owner} has no ${unknown}. ${closest ? `Did you mean ${closest}?` : `It has ${known.join(', ')}.`}`,
  )
}
