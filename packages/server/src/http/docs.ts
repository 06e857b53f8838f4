import { adminBasePath } from '@service/contract'
import type { Context, Handler, Hono } from 'hono'
import type { App } from '../core/context.ts'
import { describeFault } from '../core/log.ts'
import { contentSecurityPolicy, docsPage, referenceScript, referenceStyles } from './docs-page.ts'
import { jsonHeaders } from './json-headers.ts'
import { readScalar } from './scalar.ts'
import { answerFile, lazily, toBrotliFile, toStaticFile } from './static-file.ts'

const revalidate = { 'cache-control': 'no-cache' }
const forAYear = { 'cache-control': 'public, max-age=31536000, immutable' }

/** `/openapi.json` describes the API and `/admin/v1/openapi.json` administration, `/docs` shows it, `/llms.txt` sums it up for language models. All are the same for everybody and need no credentials. */
export function mountDocs(hono: Hono, app: App): void {
  const get = (path: string, answer: Handler) => hono.get(path, orServerError(app, answer))
  get('/openapi.json', async (c) => answerFile(c.req.raw, await openApiFile(), revalidate))
  get(`${adminBasePath}/openapi.json`, async (c) => answerFile(c.req.raw, await adminOpenApiFile(), revalidate))
  get('/llms.txt', async (c) => answerFile(c.req.raw, await llmsFile(), revalidate))
  get('/docs', async (c) => answerFile(c.req.raw, await pageFile(), { ...revalidate, ...pageHeaders }))
  for (const [name, makeFile] of Object.entries(assets)) {
    get(`/docs/${name}`, async (c) => {
      const file = await makeFile()
      return answerFile(c.req.raw, file, c.req.query('v') === file.version ? forAYear : revalidate)
    })
  }
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

const adminOpenApiFile = lazily(async () => {
  const { createAdminDocument } = await import('../openapi/admin-document.ts')
  return toStaticFile('application/json', JSON.stringify(createAdminDocument()))
})

const llmsFile = lazily(async () => {
  const { llmsText } = await import('./llms-text.ts')
  return toStaticFile('text/plain; charset=utf-8', llmsText())
})

const assets = {
  'scalar.js': lazily(async () => toBrotliFile('text/javascript; charset=utf-8', await readScalar())),
  'reference.css': lazily(async () => toStaticFile('text/css; charset=utf-8', referenceStyles)),
  'reference.js': lazily(async () => toStaticFile('text/javascript; charset=utf-8', referenceScript)),
}

const pageFile = lazily(async () => {
  const addressOf = async (name: keyof typeof assets) => `docs/${name}?v=${(await assets[name]()).version}`
  const page = docsPage({
    scalar: await addressOf('scalar.js'),
    styles: await addressOf('reference.css'),
    script: await addressOf('reference.js'),
  })
  return toStaticFile('text/html; charset=utf-8', page)
})

function orServerError(app: App, answer: Handler): Handler {
  return async (c: Context, next) => {
    try {
      return await answer(c, next)
    } catch (fault) {
      app.log.error(`${c.req.path} cannot be shown.`, describeFault(fault))
      return c.json({ message: 'Server Error' }, 500, jsonHeaders)
    }
  }
}
