import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Context, Handler, Hono } from 'hono'
import type { App } from '../context.ts'
import { describeFault } from '../log.ts'
import { contentSecurityPolicy, docsPage } from './docs-page.ts'
import { answerFile, lazily, toStaticFile } from './static-file.ts'

const revalidate = { 'cache-control': 'no-cache' }
const forAYear = { 'cache-control': 'public, max-age=31536000, immutable' }

/** `/openapi.json` describes the API, `/docs` shows it, `/llms.txt` sums it up for language models. All are the same for everybody and need no credentials. */
export function mountDocs(hono: Hono, app: App): void {
  const get = (path: string, answer: Handler) => hono.get(path, orServerError(app, answer))
  get('/openapi.json', async (c) => answerFile(c.req.raw, await openApiFile(), revalidate))
  get('/llms.txt', async (c) => answerFile(c.req.raw, await llmsFile(), revalidate))
  get('/docs', async (c) => answerFile(c.req.raw, await pageFile(), { ...revalidate, ...pageHeaders }))
  get('/docs/rapidoc-min.js', async (c) => {
    const file = await rapidocFile()
    return answerFile(c.req.raw, file, c.req.query('v') === file.version ? forAYear : revalidate)
  })
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

// All are made at the first request: most servers in tests are never asked, and must not pay for the generator.

const openApiFile = lazily(async () => {
  const { createOpenApiDocument } = await import('../openapi/document.ts')
  return toStaticFile('application/json', JSON.stringify(createOpenApiDocument()))
})

const llmsFile = lazily(async () => {
  const { llmsText } = await import('./llms-text.ts')
  return toStaticFile('text/plain; charset=utf-8', llmsText())
})

const rapidocFile = lazily(async () => toStaticFile('text/javascript; charset=utf-8', await readRapidoc()))

const pageFile = lazily(async () => toStaticFile('text/html; charset=utf-8', docsPage((await rapidocFile()).version)))

/** The build puts RapiDoc beside the bundle; when the sources run, it is where it was installed. */
async function readRapidoc(): Promise<Uint8Array> {
  try {
    return await readFile(new URL('./assets/rapidoc-min.js', import.meta.url))
  } catch {
    return readFile(createRequire(import.meta.url).resolve('rapidoc/dist/rapidoc-min.js'))
  }
}

function orServerError(app: App, answer: Handler): Handler {
  return async (c: Context, next) => {
    try {
      return await answer(c, next)
    } catch (fault) {
      app.log.error(`${c.req.path} cannot be shown.`, describeFault(fault))
      return c.json({ message: 'Server Error' }, 500)
    }
  }
}
