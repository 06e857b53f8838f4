/** The rest of a longer label does not name a field. */
const maxLabelLength = 120

// Letters without a Unicode decomposition, and Persian and Urdu letters that keyboards exchange with Arabic ones.
const sameLetters: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ə: 'e' },
  ...{ ی: 'ي', ى: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ة: 'ه', ۃ: 'ه' },
}

// Most keys are ASCII and need no Unicode normalization.
const ascii = /^[\0-\x7f]*$/

const decomposed = (label: string) => {
  if (ascii.test(label)) return label.toLowerCase()
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ıøłđßæœəیىکہھةۃ]/gu, (letter) => sameLetters[letter] ?? letter)
}

const toPlainLabel = (label: string): string => {
  const text = decomposed(label.slice(0, maxLabelLength))
  return ascii.test(text) ? text.replace(/[^a-z0-9]/g, '') : text.replace(/[^\p{L}\p{N}]/gu, '')
}

let latest = { label: '', plain: '' }

/**
 * "E-Mail Address *" → `emailaddress`; "Prénom" → `prenom`; "الاسم" loses its vowel signs and "氏名：" its colon. Several
 * checks run on each key in turn, so the latest result is cached.
 */
export const plainLabel = (label: string): string => {
  if (label !== latest.label) latest = { label, plain: toPlainLabel(label) }
  return latest.plain
}

const maxKeyLength = 60

/** The plain form of a field name that a program chose; empty for text that only a person can have written. */
export const plainKey = (key: string): string => (key.length <= maxKeyLength && ascii.test(key) ? plainLabel(key) : '')

/**
 * "q3_studentsName4" → `q`, `3`, `students`, `name`, `4`; "CallerIDName" → `caller`, `id`, `name`. Marks belong to the
 * letters before them and are dropped.
 */
export const wordsOf = (label: string): readonly string[] => {
  const separated = label.slice(0, maxLabelLength).replace(/\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll}{2})/gu, '$& ')
  const text = decomposed(separated)
  if (ascii.test(text)) return text.match(/[a-z]+|[0-9]+/g) ?? []
  return (
    text
      .replace(/\p{M}/gu, '')
      .replace(/(\p{L})(\p{N})/gu, '$1 $2')
      .match(/\p{L}+|\p{N}+/gu) ?? []
  )
}

const separators = /[()[\]{}<>|/:;,.?!*•·–—\n。、（）]|\s-\s/u

/** "Name (as in your passport) / Nom" → its three parts. Forms explain or translate a label in brackets. */
export const partsOf = (label: string): readonly string[] => {
  const text = label.slice(0, maxLabelLength).normalize('NFKC')
  return separators.test(text) ? text.split(separators).filter((part) => /\p{L}/u.test(part)) : []
}
