import { version } from '../package.json'

/** Your application in the `User-Agent`, e.g. `{name: 'billing', version: '2.1'}`. */
export interface AppInfo {
  readonly name: string
  readonly version?: string
}

export const isBrowser = (): boolean => typeof window === 'object' && typeof document === 'object'

/** `service-client/1.0.0 (node/24; billing/2.1)`: the package, the runtime's major version and your application. */
export function userAgent(app?: AppInfo): string {
  const product = app && (app.version ? `${app.name}/${app.version}` : app.name)
  if (app && !/^[\w!#$%&'*+.^`|~/ -]{1,100}$/.test(product ?? '')) {
    throw new TypeError('appInfo must contain a name and version of at most 100 plain characters.')
  }
  return `service-client/${version} (${[runtime(), product].filter(Boolean).join('; ')})`
}

// Node, Bun, Deno and workers all provide their name here. Only Node adds a suffix.
function runtime(): string {
  const agent = typeof navigator === 'object' ? navigator.userAgent : ''
  return agent ? agent.replace('.js', '').toLowerCase() : 'unknown'
}
