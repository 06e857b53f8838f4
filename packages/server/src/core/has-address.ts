/**
 * Whether a text has an address, and not only its words or a longer address: a search finds these, too. Some languages put
 * no space between an address and their letters, so only those of ASCII make it longer.
 */
export function hasAddress(text: string, email: string): boolean {
  const searched = text.toLowerCase()
  for (let start = searched.indexOf(email); start !== -1; start = searched.indexOf(email, start + 1)) {
    const end = start + email.length
    const isLonger =
      /[a-z\d][.+_%'-]?$/.test(searched.slice(Math.max(0, start - 2), start)) ||
      /^[.-]?[a-z\d]/.test(searched.slice(end, end + 2))
    if (!isLonger) return true
  }
  return false
}
