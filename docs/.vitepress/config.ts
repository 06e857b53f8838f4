import { defineConfig } from 'vitepress'
import { printFenceTitles, resolveLinks, showBracesInCode } from './markdown.ts'
import { pathsOf, sidebar } from './navigation.ts'
import { writeTextsForModels } from './texts-for-models.ts'

const title = 'Work platform'
const description = 'Call the API, receive webhooks, test against the platform, or host it.'

export default defineConfig({
  title,
  description,
  lang: 'en',
  // Decisions are for contributors, who read them in the repository.
  srcExclude: ['decisions/**'],
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    config(markdown) {
      showBracesInCode(markdown)
      printFenceTitles(markdown)
      resolveLinks(markdown)
    },
  },
  // Each reference page documents a complete entry point.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start', link: '/start/call', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/retries', activeMatch: '/guides/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: 'Packages', link: '/packages/client', activeMatch: '/packages/' },
    ],
    outline: { level: [2, 3] },
    search: { provider: 'local' },
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
