// The text of a ticket's tags in a form. The API accepts tags with commas, which are in quotes here, as in CSV.

/** A tag in quotes, or all up to the next comma, also after a quote that is never closed. */
const eachTag = /\s*("[^"]*(?:""[^"]*)*"(?=\s*(?:,|$))|[^,]*)\s*(?:,|$)/g

export function readTags(text: string): string[] {
  const tags = new Set<string>()
  for (const [, part = ''] of text.matchAll(eachTag)) tags.add(withoutQuotes(part.trim()))
  return [...tags].filter(Boolean)
}

const withoutQuotes = (tag: string) =>
  tag.length > 1 && tag.startsWith('"') && tag.endsWith('"') ? tag.slice(1, -1).replaceAll('""', '"').trim() : tag

export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => (/^"|,/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')
