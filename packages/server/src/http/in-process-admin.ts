import { type Admin, type AdminClientOptions, createAdminClient } from '@service/client/admin'
import { adminBasePath } from '@service/contract'
import type { App } from '../context.ts'
import { defaultOrigin } from '../core/config.ts'
import { lazily } from '../core/lazily.ts'
import { trustInProcess } from './admin-login.ts'
import { createRequestPipeline } from './request-pipeline.ts'

/** In-process calls are not client requests, so they are neither logged nor counted. */
const unobserved = (app: App): App =>
  Object.create(app, {
    log: { value: { ...app.log, info: () => undefined } },
    metrics: { value: { ...app.metrics, request: () => undefined } },
  })

interface InProcess {
  readonly appInfo?: AdminClientOptions['appInfo']
  /** The session to act as. Without it, the call has full access. */
  readonly sessionToken?: string | undefined
}

/**
 * The admin API in process. It uses the HTTP client and the same handlers without a port, so the two cannot differ.
 * Inside a transaction it joins it, because the store looks up the caller's transaction.
 */
export function createAdmin(app: App, { appInfo, sessionToken }: InProcess = {}): Admin {
  const open = lazily(async () =>
    (await import('./admin.ts')).createAdminRoutes(app, createRequestPipeline(unobserved(app))),
  )
  return createAdminClient({
    baseUrl: `${defaultOrigin}${adminBasePath}`,
    token: sessionToken ?? 'in-process',
    // Some test environments look like a browser, but the token is not exposed to one.
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    ...(appInfo === undefined ? {} : { appInfo }),
    fetch(url, init) {
      const request = new Request(url, init)
      if (sessionToken === undefined) trustInProcess(request)
      return app.lifecycle.during(open().then((admin) => admin.fetch(request)))
    },
  })
}
