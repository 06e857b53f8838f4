import { type Context, Hono } from 'hono'
import { ApiError } from '../../core/errors.ts'
import { hashSecret, matchesSecretHash } from '../../core/ids.ts'
import { loadAssets } from '../../http/dashboard/assets.ts'
import { readCookies } from '../../http/dashboard/cookies.ts'
import { requireSameOriginForm } from '../../http/dashboard/csrf.ts'
import { toLocation } from '../../http/dashboard/location.ts'
import { isFragment, shownCookies, toFields } from '../../http/dashboard/page-context.ts'
import { type Layout, type ResponseContext, redirectTo, toResponse } from '../../http/dashboard/page-response.tsx'
import { readBytes } from '../../http/read-request.ts'
import type { RequestHandler } from '../../runtime/admission.ts'
import { Banner } from '../../ui/components/notice.tsx'
import { Crumbs, Document, Mark } from '../../ui/layout.tsx'
import { type Fields, type ShownResult, show } from '../../ui/page-types.ts'
import { runAction } from './actions.ts'
import { requestDetail } from './double-journal.tsx'
import { type DoublePage, type DoubleParts, doublePath } from './double-page.ts'
import { doubleState } from './double-state.tsx'

const keyCookie = 'service_test_key'
const maxFormBytes = 64 * 1024

/** The pages under `/dashboard/test`. They require the key. */
export function createDoublePages(parts: DoubleParts, key: string): RequestHandler {
  const { app } = parts
  const hono = new Hono().basePath(doublePath)
  const keyHash = hashSecret(key)
  const isKey = (candidate: string | undefined) => candidate !== undefined && matchesSecretHash(candidate, keyHash)

  async function answer(c: Context, makeResult: (page: DoublePage) => ShownResult | Promise<ShownResult>) {
    const location = toLocation(c, app.config)
    const cookieHeader = c.req.raw.headers.get('cookie')
    const cookies = readCookies(cookieHeader, location)
    const link = (path: string) => `${location.path}/test${path}`
    const zone = cookies.zone ?? 'UTC'
    const assets = await loadAssets()
    const answering: ResponseContext = {
      app,
      location,
      cookies: shownCookies(c, cookies),
      zone,
      assets,
      isFragment: isFragment(c),
      shell: undefined,
      layout: DoubleLayout,
    }
    if (isKey(c.req.query('key')))
      return redirectTo(link(''), [`${keyCookie}=${key}; Path=${link('')}; HttpOnly; SameSite=Lax`])
    if (!isKey(new RegExp(`(?:^|; )${keyCookie}=([\\w-]+)`).exec(cookieHeader ?? '')?.[1]))
      return toResponse(locked(), answering)
    const form = await readForm(c, location.origins)
    const page = { ...parts, form, link, zone, dashboardPath: location.path, isFragment: isFragment(c) }
    return toResponse(await makeResult(page), answering)
  }

  hono.get('/', (c) => answer(c, doubleState))
  hono.get('/requests/:sequence{[0-9]{1,15}}', (c) =>
    answer(c, (page) => requestDetail(page, Number(c.req.param('sequence')))),
  )
  hono.post('/:action', (c) => answer(c, (page) => runAction(page, c.req.param('action'))))
  hono.notFound((c) => answer(c, () => refusal(404, 'Page not found.')))
  hono.onError((thrown, c) => {
    if (!(thrown instanceof ApiError)) throw thrown
    return answer(c, () => refusal(403, thrown.message)).catch(() => c.text(thrown.message, 403))
  })
  return (request, env) => hono.fetch(request, env)
}

async function readForm(c: Context, origins: readonly string[]): Promise<Fields> {
  if (c.req.method !== 'POST') return toFields(new URLSearchParams())
  requireSameOriginForm(c.req.raw, origins)
  return toFields(
    new URLSearchParams(new TextDecoder().decode(await readBytes(c.req.raw, c.env, { sentBytes: maxFormBytes }))),
  )
}

const refusal = (status: number, message: string): ShownResult =>
  show({
    title: 'Test double',
    status,
    body: (
      <>
        <h1 class="sr">Test double</h1>
        <Banner tone="warn">{message}</Banner>
      </>
    ),
  })

const locked = () =>
  refusal(
    401,
    'Open this page with the address from dashboardUrl(), or with the one that the server printed at startup.',
  )

/** The layout of these pages, without a session or workspace. */
const DoubleLayout: Layout = ({ content, theme, notice }) => (
  <Document title={`${content.title} · Test double`} theme={theme}>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="column">
        <header class="topbar">
          <Mark />
          <Crumbs content={content} />
          {content.action}
        </header>
        <main id="main" tabindex={-1}>
          {content.body}
        </main>
      </div>
      <div class="toast" role="status" id="toast">
        {notice !== undefined && <p>{notice}</p>}
      </div>
    </body>
  </Document>
)
