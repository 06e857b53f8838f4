/** What follows each `@deprecated` of a text, up to the next tag or the end of its comment, in one line. */
export function deprecationsIn(text: string): string[] {
  const [, ...notes] = text.split('@deprecated')
  return notes.map((note) => {
    const [own = ''] = note.split(/\*\/|@/, 1)
    const lines = own.split('\n').map((line) => line.replace(/^\s*\*/, '').trim())
    return lines.join(' ').trim()
  })
}

/** Since when, and what to use in its place: what `docs/guides/versions.md` promises. */
export const isCompleteDeprecation = (note: string): boolean => /^Since \d+\.\d+: use `[^`]+`/.test(note)
