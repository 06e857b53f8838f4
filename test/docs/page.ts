/** A code block of a page. */
export interface Block {
  readonly language: string
  /** The name of the file that it shows, or an empty text. */
  readonly title: string
  readonly code: string
  /** The line of its first line of code. */
  readonly line: number
}

/** The code blocks of a page, all or those in some languages. */
export const blocksOf = (page: string, ...languages: readonly string[]): Block[] =>
  Array.from(
    page.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```$/gms),
    ({ index, 1: language = '', 2: info = '', 3: code = '' }) => ({
      language,
      title: /title="([^"]+)"/.exec(info)?.[1] ?? '',
      code,
      line: page.slice(0, index).split('\n').length + 1,
    }),
  ).filter(({ language }) => languages.length === 0 || languages.includes(language))

/** The code of the blocks of a page in one language. */
export const codeIn = (page: string, language: string) => blocksOf(page, language).map(({ code }) => code)

/** The code that a page shows under the name of a file. */
export function fileIn(page: string, name: string): string {
  const block = blocksOf(page).find(({ title }) => title === name)
  if (block === undefined) throw new Error(`The page shows no file ${name}.`)
  return block.code
}
