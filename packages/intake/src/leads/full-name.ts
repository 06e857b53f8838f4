type NameParts = { readonly name: string | null; readonly first: string | null; readonly last: string | null }

/** Chinese, Japanese and Korean write the family name first. */
const isEastAsian = (text: string) =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]+$/u.test(text)

const joined = (first: string | null, last: string | null): string | null => {
  const isReversed = first !== null && last !== null && isEastAsian(first + last)
  return (isReversed ? [last, first] : [first, last]).filter(Boolean).join(' ') || null
}

/** Some forms ask for "Name" and "Surname", others for "Prénom" and "Nom"; where both stand, "Name" is the other half. */
export const fullName = ({ name, first, last }: NameParts): string | null => {
  if (name === null) return joined(first, last)
  if (last !== null && first === null && !name.includes(last)) return joined(name, last)
  if (first !== null && last === null && !name.includes(first)) return joined(first, name)
  return name
}
