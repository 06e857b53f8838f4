import { defineConfig } from 'vitepress'
import { favicon, logo } from './mark.ts'
import { addLanguageTabs, addPackageManagers, printFenceTitles, resolveLinks, showBracesInCode } from './markdown.ts'
import { pathsOf, sidebar } from './navigation.ts'
import { writeTextsForModels } from './texts-for-models.ts'

const title = 'Work platform'
const description = 'Call the API, receive webhooks, test against the platform, or host it.'

export default defineConfig({
  title,
  description,
  lang: 'en',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: favicon }]],
  // Without it, the first page would be shown in another font.
  transformHead: ({ assets }) =>
    assets
      .filter((path) => /geist-(?:latin|mono)\.[\w-]+\.woff2$/.test(path))
      .map((href) => ['link', { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' }]),
  // Decisions are for contributors, who read them in the repository.
  srcExclude: ['decisions/**'],
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    // Pictures of the other theme are not fetched.
    image: { lazyLoad: true },
    config(markdown) {
      addLanguageTabs(markdown)
      addPackageManagers(markdown)
      showBracesInCode(markdown)
      printFenceTitles(markdown)
      resolveLinks(markdown)
    },
  },
  // Each reference page documents a complete entry point.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    logo,
    sidebar,
    nav: [
      { text: 'Start', link: '/start/call', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/retries', activeMatch: '/guides/' },
      { text: 'Packages', link: '/packages/client', activeMatch: '/packages/' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
    ],
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // The text of a TypeScript page is mostly types, so only its names are indexed.
        async _render(source, env, markdown) {
          const isTypes = /^reference\/(?:client|webhooks|server)\//.test(String(env.relativePath))
          return await markdown.renderAsync(isTypes ? (source.match(/^#+ .+$/gm) ?? []).join('\n\n') : source, env)
        },
        miniSearch: {
          searchOptions: {
            // Guides come before the reference, which mentions most terms more often.
            boostDocument(id: string) {
              if (id.includes('/reference/')) return 0.05
              return /COVERAGE|ARCHITECTURE|alternatives/.test(id) ? 0.3 : 1
            },
            // A word that only begins with the term, or resembles it, counts for little.
            weights: { prefix: 0.2, fuzzy: 0.1 },
          },
        },
      },
    },
  },
  // The reference is left out, because models can read the sources.
  buildEnd: ({ outDir, srcDir }) =>
    writeTextsForModels({
      outDir,
      srcDir,
      title,
      description,
      paths: pathsOf(sidebar).filter((path) => !path.startsWith('reference/')),
    }),
})
