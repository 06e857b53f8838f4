/** Returns the note of each `@deprecated` tag on one line, up to the next tag or the end of the comment. */
export function deprecationsIn(source: string): string[] {
  const [, ...notes] = source.split('@deprecated')
  return notes.map((note) => {
    const [text = ''] = note.split(/\*\/|@/, 1)
    const lines = text.split('\n').map((line) => line.replace(/^\s*\*/, '').trim())
    return lines.join(' ').trim()
  })
}

/** Whether the note names a version and a replacement, as `docs/guides/versions.md` promises. */
export const isCompleteDeprecation = (note: string): boolean => /^Since \d+\.\d+: use `[^`]+`/.test(note)
