import { type Admin, type AdminClientOptions, createAdminClient } from '@service/client/admin'
import { adminBasePath } from '@service/contract'
import type { Hono } from 'hono'
import type { App } from '../context.ts'
import { defaultOrigin } from '../core/config.ts'
import { trustInProcess } from './admin-login.ts'
import { createRequestPipeline } from './request-pipeline.ts'

/** Calls in process are not requests of a caller: they are neither logged nor counted. */
const unobserved = (app: App): App =>
  Object.create(app, {
    log: { value: { ...app.log, info: () => undefined } },
    metrics: { value: { ...app.metrics, request: () => undefined } },
  })

interface InProcess {
  readonly appInfo?: AdminClientOptions['appInfo']
  /** Of a person as whom it is asked; without it the code of this process may do anything. */
  readonly sessionToken?: string | undefined
}

/**
 * Administration in process: the client that others use over HTTP, answered by the same handlers without a port, so that
 * the two cannot differ. Inside a transaction it takes part in it, because the store asks which one the calling code
 * runs in.
 */
export function createAdmin(app: App, { appInfo, sessionToken }: InProcess = {}): Admin {
  let opened: Promise<Hono> | undefined
  const open = async () => {
    const { openAdmin } = await import('./admin.ts')
    return openAdmin(app, createRequestPipeline(unobserved(app)))
  }
  return createAdminClient({
    baseUrl: `${defaultOrigin}${adminBasePath}`,
    token: sessionToken ?? 'in-process',
    // Under a test environment that looks like a browser the token is still nobody's.
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    ...(appInfo === undefined ? {} : { appInfo }),
    fetch(request) {
      if (sessionToken === undefined) trustInProcess(request)
      opened ??= open()
      return app.lifecycle.during(opened.then((admin) => admin.fetch(request)))
    },
  })
}
