import { adminBasePath } from '@service/contract'
import type { Hono } from 'hono'
import type { Config } from '../core/config.ts'
import { lazily } from '../core/lazily.ts'
import type { OpenApiDocument } from '../openapi/surface-document.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { toLocation } from './dashboard/location.ts'
import { readScalar } from './scalar.ts'
import { answerFile, type StaticFile, toBrotliFile, toStaticFile } from './static-file.ts'

interface DocsPage {
  readonly title: string
  /** The URLs of its files and of the document it shows. */
  readonly scalar: string
  readonly styles: string
  readonly script: string
  readonly description: string
  /** The folder of the server, relative to the page: empty, or with a slash at its end. */
  readonly root: string
}

/** The page of an API reference. Its URLs are relative, so that it works behind a proxy's path prefix. */
function docsPage(page: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Workspace Platform: ${page.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${page.styles}">
<script src="${page.scalar}" defer></script>
<script src="${page.script}" defer></script>
</head>
<body>
<div id="reference" data-description="${page.description}" data-root="${page.root}."></div>
<noscript>This page needs JavaScript. The description itself is at <a href="${page.description}">${page.description}</a>.</noscript>
</body>
</html>
`
}

/**
 * Scalar adds style elements to the head, which the policy blocks. Constructed style sheets are allowed, so their text
 * is adopted as such. The rest adds accessible names that Scalar lacks.
 */
const referenceScript = `
const adopted = new Map()
function adopt(style) {
  const text = style.textContent
  if (!text || adopted.get(style)?.text === text) return
  const sheet = adopted.get(style)?.sheet ?? new CSSStyleSheet()
  sheet.replaceSync(text)
  if (!adopted.has(style)) document.adoptedStyleSheets.push(sheet)
  adopted.set(style, { sheet, text })
}
const adoptAll = () => document.head.querySelectorAll('style').forEach(adopt)
adoptAll()
new MutationObserver(adoptAll).observe(document.head, { childList: true, characterData: true, subtree: true })

const amendments = [
  ['button[class~="group/copy-button"]:not([aria-label])', (element) => element.setAttribute('aria-label', 'Copy')],
  ['button[class~="group/copy-button"][aria-controls]', (element) => element.removeAttribute('aria-controls')],
  ['.response-card[role]', (element) => element.removeAttribute('role')],
  ['button[role=none]', (element) => element.removeAttribute('role')],
  ['.code-input-lite__editor[role=combobox]', (element) => element.setAttribute('role', 'textbox')],
  ['.cm-content:not([aria-label])', (element) => element.setAttribute('aria-label', 'Body')],
  ['.cm-scroller[tabindex="-1"], ul.endpoints:not([tabindex])', (element) => (element.tabIndex = 0)],
]
function amend() {
  for (const [selector, change] of amendments) document.querySelectorAll(selector).forEach(change)
}
new MutationObserver(amend).observe(document.body, { childList: true, subtree: true })

const { description, root } = document.querySelector('#reference').dataset
Scalar.createApiReference('#reference', {
  url: description,
  // The document names the public address, which the policy blocks if the page was opened under another one.
  servers: [{ url: new URL(root, location.href).href.replace(/\\/$/, '') }],
  agent: { disabled: true },
  defaultOpenAllTags: true,
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
})
`

/** Colors with a contrast of at least 4.5:1, targets of at least 24 pixels, and a layout that fits phones. */
const referenceStyles = `
body { margin: 0 }
noscript { display: block; padding: 16px }
body.light-mode {
  --scalar-color-2: #595959;
  --scalar-color-3: #636363;
  --scalar-color-accent: #005f99;
  --scalar-color-blue: #005f99;
  --scalar-color-green: #046a46;
  --scalar-color-orange: #9c3600;
  --scalar-color-red: #b80005;
  --scalar-color-yellow: #7a5c00;
}
body.dark-mode {
  --scalar-color-2: #b4b4b4;
  --scalar-color-3: #a4a4a4;
  --scalar-color-accent: #4eb3ec;
  --scalar-color-green: #2fd070;
  --scalar-color-red: #ff8080;
}
#reference [data-sidebar-id] button { min-width: 24px; min-height: 24px }
#reference .scalar-card-content > * { min-width: 0 }
#reference { overflow-x: clip }
/* This server sends outbound events and does not receive them. */
#reference [id*="/webhook/"] .show-api-client-button { display: none }
`

const revalidate = { 'cache-control': 'no-cache' }
const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }

/** Serves the OpenAPI documents and references of the API and of admin, and `/llms.txt`. They are public. */
export function mountDocs(hono: Hono, config: Config): void {
  for (const [path, fileAt] of Object.entries(documents))
    hono.get(path, async (c) => answerFile(c.req.raw, await fileAt(toLocation(c, config).serverUrl), revalidate))
  hono.get('/llms.txt', async (c) => answerFile(c.req.raw, await llmsFile(), revalidate))
  for (const [path, makePage] of Object.entries(pages))
    hono.get(path, async (c) => answerFile(c.req.raw, await makePage(), { ...revalidate, ...pageHeaders }))
  for (const [name, makeFile] of Object.entries(assets)) {
    hono.get(`/docs/${name}`, async (c) => {
      const file = await makeFile()
      return answerFile(c.req.raw, file, c.req.query('v') === file.version ? immutable : revalidate)
    })
  }
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy({ 'img-src': "'self' data:", 'form-action': "'none'" }),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

// Created on the first request, because most test servers never need them.

/**
 * A document whose server is the public address of the platform, because tools that save or import it forget where it came
 * from. A platform usually has one address, so only the file of the latest one is kept.
 */
function documentFile(create: () => Promise<OpenApiDocument>): (serverUrl: string) => Promise<StaticFile> {
  const open = lazily(create)
  let latest: { readonly serverUrl: string; readonly file: () => Promise<StaticFile> } | undefined
  const write = async (url: string) => {
    const { servers = [], ...rest } = await open()
    return JSON.stringify({ ...rest, servers: servers.map((server) => ({ ...server, url })) })
  }
  return (serverUrl) => {
    if (latest?.serverUrl !== serverUrl)
      latest = { serverUrl, file: lazily(async () => toStaticFile('application/json', await write(serverUrl))) }
    return latest.file()
  }
}

/** By path. */
const documents = {
  '/openapi.json': documentFile(async () => (await import('../openapi/document.ts')).createOpenApiDocument()),
  [`${adminBasePath}/openapi.json`]: documentFile(async () =>
    (await import('../openapi/admin-document.ts')).createAdminDocument(),
  ),
}

const llmsFile = lazily(async () => {
  const { llmsText } = await import('./llms-text.ts')
  return toStaticFile('text/plain; charset=utf-8', llmsText())
})

const assets = {
  'scalar.js': lazily(async () => toBrotliFile('text/javascript; charset=utf-8', await readScalar())),
  'reference.css': lazily(async () => toStaticFile('text/css; charset=utf-8', referenceStyles)),
  'reference.js': lazily(async () => toStaticFile('text/javascript; charset=utf-8', referenceScript)),
}

/** By path. Both pages use the same files, below `root`. */
const pages = {
  '/docs': lazily(() => makePage({ title: 'API reference', description: 'openapi.json', root: '' })),
  '/admin/docs': lazily(() => makePage({ title: 'admin API reference', description: 'v1/openapi.json', root: '../' })),
}

async function makePage(page: Pick<DocsPage, 'title' | 'description' | 'root'>) {
  const getAddress = async (name: keyof typeof assets) => `${page.root}docs/${name}?v=${(await assets[name]()).version}`
  const html = docsPage({
    ...page,
    scalar: await getAddress('scalar.js'),
    styles: await getAddress('reference.css'),
    script: await getAddress('reference.js'),
  })
  return toStaticFile('text/html; charset=utf-8', html)
}
