import type { App } from '../../context.ts'
import { type Config, readConfig } from '../../core/config.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'

const quirkNames = keysOf<Quirks>({ createdStatus: true, deviceNotFoundStatus: true, unknownWorkspaceStatus: true })

/** The places where the platform's documentation is ambiguous. Each can be switched. */
export interface Quirks {
  /** The status of creations. */
  readonly createdStatus: 200 | 201
  /** The status of the attendance webhook for an unknown device. */
  readonly deviceNotFoundStatus: 200 | 422
  /** The status of a request to a workspace that does not exist. */
  readonly unknownWorkspaceStatus: 403 | 404
}

/** Switches them while the server runs, so that one test can run against both readings. `reset()` puts them back. */
export interface QuirkControl {
  readonly current: Quirks
  /** Quirks that are not given keep their value. */
  set(quirks: Partial<Quirks>): void
}

/** How strict the platform is with callers, while it runs. `reset()` puts it back. */
export interface LimitControl {
  readonly requestsPerMinute: number | 'off'
  /** Counts continue: a caller that has used more than a new limit waits for the end of the window. */
  set(limits: { readonly requestsPerMinute: number | 'off' }): void
}

/** Settings that can be changed at run time, and their reset to the options of the server. */
export interface RuntimeSettings {
  readonly quirks: QuirkControl
  readonly limits: LimitControl
  reset(): void
}

export function createRuntimeSettings(app: App): RuntimeSettings {
  const { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus, rateLimit } = app.config
  const initial = { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus, rateLimit }
  return {
    quirks: {
      get current() {
        const { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus } = app.config
        return { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus }
      },
      set(quirks) {
        requireKnown(quirks, quirkNames, '`quirks`')
        change(app, quirks)
      },
    },
    limits: {
      get requestsPerMinute() {
        return app.config.rateLimit
      },
      set(limits) {
        requireKnown(limits, ['requestsPerMinute'], '`limits`')
        change(app, { rateLimit: limits.requestsPerMinute })
      },
    },
    reset: () => change(app, initial),
  }
}

/** Services read the configuration of the app at every request, so a change applies from the next one on. */
function change(app: App, changed: Partial<Pick<Config, keyof Quirks | 'rateLimit'>>): void {
  const given = Object.entries(changed).filter(([, value]) => value !== undefined)
  try {
    const checked = readConfig(Object.fromEntries(given), (name) =>
      name === 'rateLimit' ? '`requestsPerMinute`' : `\`${name}\``,
    )
    const next = Object.entries(checked).filter(([name]) => given.some(([each]) => each === name))
    Object.assign(app, { config: { ...app.config, ...Object.fromEntries(next) } })
  } catch (problem) {
    throw new TypeError(problem instanceof Error ? problem.message : String(problem))
  }
}
