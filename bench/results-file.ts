import { readFileSync, writeFileSync } from 'node:fs'

// RESULTS.md is written by several programs, each its own sections; what the others have measured stays as it is.

const heading = /^## .*$/m

/** Puts sections, each beginning with its `## ` line, into a file: in the place of those of the same name, or at the end. */
export function writeSections(file: string, sections: readonly string[]): void {
  const written = sections.reduce(replaceSection, readFileSync(file, 'utf8'))
  writeFileSync(file, `${written.trimEnd()}\n`)
}

function replaceSection(markdown: string, section: string): string {
  const title = section.match(heading)?.[0]
  if (title === undefined) throw new TypeError('A section begins with a line of two hashes.')
  const parts = markdown.trimEnd().split(/\n(?=## )/)
  const at = parts.findIndex((part) => part.startsWith(`${title}\n`))
  const own = `${section.trimEnd()}\n`
  const all = at < 0 ? [...parts.map(ended), own] : parts.map((part, index) => (index === at ? own : ended(part)))
  return all.join('\n')
}

const ended = (part: string) => `${part.trimEnd()}\n`
