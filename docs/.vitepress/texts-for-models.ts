import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Site {
  readonly srcDir: string
  readonly outDir: string
  readonly title: string
  readonly description: string
  /** Pages in the order of the navigation. */
  readonly paths: readonly string[]
}

/** Writes `llms.txt`, the list of pages, and `llms-full.txt`, their text. */
export async function writeTextsForModels({ srcDir, outDir, title, description, paths }: Site): Promise<void> {
  const pages = await Promise.all(paths.map(async (path) => ({ path, text: await readPage(join(srcDir, path)) })))
  const head = `# ${title}\n\n> ${description}\n`
  const links = pages.map(({ path, text }) => `- [${headingOf(text)}](/${path.replace(/\.md$/, '.html')})`)
  await writeFile(join(outDir, 'llms.txt'), `${head}\n${links.join('\n')}\n`)
  await writeFile(join(outDir, 'llms-full.txt'), [head, ...pages.map(({ text }) => text)].join('\n---\n\n'))
}

/** Reads a page with its includes. */
async function readPage(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  const included = /^<!--@include: (.+)-->$/m.exec(text)?.[1]?.trim()
  return included === undefined ? text : readFile(join(path, '..', included), 'utf8')
}

const headingOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ''
