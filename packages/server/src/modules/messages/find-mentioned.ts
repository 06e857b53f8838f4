import type { Named } from '@service/contract'

/** The work of finding names in a message is limited. */
const maxMentions = 50

const mark = /(?<![\p{L}\p{N}_.])@/gu

/** Whether a text may mention a member. The @ of an e-mail address does not. */
export const mayMention = (text: string): boolean => text.search(mark) !== -1

/** The people whose name follows an @ in a text, ignoring case. Of names that begin alike, the longest counts. */
export function findMentioned<Person extends Named>(text: string, people: readonly Person[]): Person[] {
  const lower = text.toLowerCase()
  const starts = [...lower.matchAll(mark)].slice(0, maxMentions).map(({ index }) => index + 1)
  const named = people.map((person) => ({ person, name: person.name.toLowerCase() }))
  const found = starts.flatMap((start) => {
    const after = lower.slice(start, start + maxNameLength)
    const matching = named.filter(
      ({ name }) => after.startsWith(name) && !/^[\p{L}\p{N}]/u.test(after.slice(name.length)),
    )
    const longest = Math.max(...matching.map(({ name }) => name.length))
    return matching.filter(({ name }) => name.length === longest).map(({ person }) => person)
  })
  return [...new Set(found)]
}

const maxNameLength = 256
