import { type OpenService, openService, type Service, type ServiceOptions, toTestServerOptions } from './service.ts'
import { createTemplate } from './template.ts'

type Hook = (act: () => Promise<void>) => unknown

/** The hooks of a test runner, as it calls them: node:test says `after` where others say `afterAll`. */
export interface RunnerHooks {
  readonly beforeEach: Hook
  readonly afterEach: Hook
  readonly afterAll: Hook
}

/** The service of the test that runs: forked before each test, closed after it. */
export function currentService(options: ServiceOptions, { beforeEach, afterEach, afterAll }: RunnerHooks): Service {
  const template = createTemplate(toTestServerOptions(options))
  let open: OpenService | undefined
  beforeEach(async () => {
    open = await openService(template, options)
  })
  afterEach(async () => {
    const ending = open
    open = undefined
    await ending?.close()
  })
  afterAll(() => template.close())
  const current = (): Service => {
    if (open !== undefined) return open.service
    throw new TypeError('There is a service only while a test runs: read it inside of a test or a beforeEach.')
  }
  return {
    get server() {
      return current().server
    },
    get origin() {
      return current().origin
    },
    get baseUrl() {
      return current().baseUrl
    },
    get token() {
      return current().token
    },
    get workspace() {
      return current().workspace
    },
    fetch: (input, init) => current().fetch(input, init),
  }
}
