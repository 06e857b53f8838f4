import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownOptions } from 'vitepress'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = join(docs, '..')

/** Hosts the files that are not pages. */
const repository = 'https://github.com/example/service-platform'

/** Longer paths in inline code may break after a slash, so that table columns do not become too wide. */
const maxUnbrokenLength = 24

/** Vue would evaluate `{{ x }}` in inline code and print nothing. */
export function showBracesInCode(markdown: Markdown): void {
  markdown.renderer.rules['code_inline'] = (tokens, index) => {
    const content = tokens[index]?.content ?? ''
    const code = markdown.utils.escapeHtml(content)
    return `<code v-pre>${content.length > maxUnbrokenLength ? code.replaceAll('/', '/<wbr>') : code}</code>`
  }
}

/** A fence with `title="x.ts"` shows the name of the file above the code. */
export function printFenceTitles(markdown: Markdown): void {
  const fence = markdown.renderer.rules.fence
  if (fence === undefined) return
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const title = titleOf(tokens[index]?.info ?? '')
    const code = fence(tokens, index, ...rest)
    return title === undefined ? code : `<p class="fence-title">${markdown.utils.escapeHtml(title)}</p>\n${code}`
  }
}

const titleOf = (info: string) => /title="([^"]+)"/.exec(info)?.[1]

/** Neighboring files in different languages become tabs. On GitHub, they are one below the other. */
export function addLanguageTabs(markdown: Markdown): void {
  markdown.core.ruler.push('language-tabs', (state) => {
    const runs: (typeof state.tokens)[] = []
    for (const token of state.tokens) {
      const run = runs.at(-1)
      if (run !== undefined && continues(run, token)) run.push(token)
      else runs.push([token])
    }
    state.tokens = runs.flatMap((run) => {
      if (run.length === 1) return run
      for (const token of run) token.info = `${languageOf(token)} [${titleOf(token.info)}]`
      const type = 'container_code-group'
      return [new state.Token(`${type}_open`, 'div', 1), ...run, new state.Token(`${type}_close`, 'div', -1)]
    })
  })
}

interface Fence {
  readonly type: string
  readonly info: string
}

const isFile = ({ type, info }: Fence) => type === 'fence' && titleOf(info) !== undefined
const continues = (run: readonly Fence[], token: Fence) =>
  [...run, token].every(isFile) && run.every((other) => languageOf(other) !== languageOf(token))
const languageOf = ({ info }: Fence) => info.split(' ', 1)[0]

/** The command of each package manager, and its option for development dependencies. */
const packageManagers = {
  npm: ['npm install', '-D'],
  pnpm: ['pnpm add', '-D'],
  yarn: ['yarn add', '-D'],
  bun: ['bun add', '-d'],
}

/** A block with only an `npm install` has a tab for each package manager. On GitHub, it stays as it is. */
export function addPackageManagers(markdown: Markdown): void {
  markdown.core.ruler.after('normalize', 'package-managers', (state) => {
    state.src = state.src.replaceAll(/^```sh\nnpm install (-D )?([@\w ./-]+)\n```$/gm, (_block, dev, names) => {
      const blocks = Object.entries(packageManagers).map(
        ([name, [command, option]]) =>
          `\`\`\`sh [${name}]\n${command} ${dev === undefined ? '' : `${option} `}${names}\n\`\`\``,
      )
      return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`
    })
  })
}

/** Resolves links to repository files: to a page of the site, or else to the repository. */
export function resolveLinks(markdown: Markdown): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const from = sourceOf(String(env['relativePath']))
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null && !/^(?:[a-z]+:|#|\/)/.test(href)) token.attrSet('href', resolveLink(href, from))
    }
  })
}

/** The page of a package is its README, so its links are relative to that file. */
const sourceOf = (page: string): string => {
  const name = /^packages\/(\w+)\.md$/.exec(page)?.[1]
  return name === undefined ? join(docs, page) : join(root, 'packages', name, 'README.md')
}

function resolveLink(href: string, from: string): string {
  const [path = '', anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const target = join(dirname(from), path)
  const readme = /^packages\/(\w+)(?:\/README\.md)?$/.exec(relative(root, target))?.[1]
  if (readme !== undefined) return `/packages/${readme}${hash}`
  const page = relative(docs, target)
  if (page.endsWith('.md') && !page.startsWith('..') && !page.startsWith('decisions')) return `/${page}${hash}`
  if (!existsSync(target)) return href // reported by the dead link check
  const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
  return `${repository}/${kind}/main/${relative(root, target)}${hash}`
}
