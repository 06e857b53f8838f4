import { plainLabel } from './plain-label.ts'
import words from './words.json' with { type: 'json' }

type WordList = keyof typeof words

const lists = new Map<WordList, ReadonlySet<string>>()

/** The words of a list in their plain form. Read on first use, so that they do not slow down the start of a server. */
export function wordsIn(list: WordList): ReadonlySet<string> {
  const known = lists.get(list)
  if (known !== undefined) return known
  const fresh = new Set(words[list].flatMap((line) => line.split(' ')).map(plainLabel))
  lists.set(list, fresh)
  return fresh
}

/** Expects the plain form of a word. */
export const isListed = (list: WordList, word: string): boolean => wordsIn(list).has(word)

export const isPersonWord = (key: string): boolean => isListed('people', plainLabel(key))

/** Half of a name in one word that has no other meaning. */
export const halfName =
  /^(?:[fl]name|(?:first|last|sur|given|family)name|voornaam|achternaam|vorname|nachname|prenom|apellidos?|cognome|sobrenome|fornamn|efternamn|fornavn|etternavn|efternavn|etunimi|sukunimi|imie|nazwisko|prijmeni|priezvisko|prenume|soyadi?)$/
