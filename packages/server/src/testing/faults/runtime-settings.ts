import type { App } from '../../context.ts'
import { type Config, type ConfigOptions, readConfig } from '../../core/config.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'

const quirkNames = keysOf<Quirks>({ createdStatus: true, deviceNotFoundStatus: true, unknownWorkspaceStatus: true })

/** The places where the platform's documentation says two things. Each can be had both ways. */
export interface Quirks {
  /** What creations answer. */
  readonly createdStatus: 200 | 201
  /** What the attendance webhook answers for an unknown device. */
  readonly deviceNotFoundStatus: 200 | 422
  /** What a token of another workspace gets where there is no such workspace. */
  readonly unknownWorkspaceStatus: 403 | 404
}

/** Switches them while the server runs, so that one test can run against both readings. `reset()` puts them back. */
export interface QuirkControl {
  readonly current: Quirks
  /** What is left out stays as it is. */
  set(quirks: Partial<Quirks>): void
}

/** How strict the platform is with callers, while it runs. `reset()` puts it back. */
export interface LimitControl {
  readonly requestsPerMinute: number | 'off'
  /** Counts go on: whoever has used more than a new limit waits for the end of the window. */
  set(limits: { readonly requestsPerMinute: number | 'off' }): void
}

/** Settings that can be turned at run time, and what puts them back to how the server was started. */
export interface RuntimeSettings {
  readonly quirks: QuirkControl
  readonly limits: LimitControl
  reset(): void
}

export function createRuntimeSettings(app: App): RuntimeSettings {
  const { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus, rateLimit } = app.config
  const begun = { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus, rateLimit }
  return {
    quirks: {
      get current() {
        const { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus } = app.config
        return { createdStatus, deviceNotFoundStatus, unknownWorkspaceStatus }
      },
      set(quirks) {
        requireKnown(quirks, quirkNames, '`quirks`')
        turn(app, quirks)
      },
    },
    limits: {
      get requestsPerMinute() {
        return app.config.rateLimit
      },
      set(limits) {
        requireKnown(limits, ['requestsPerMinute'], '`limits`')
        const { requestsPerMinute } = limits
        turn(app, { rateLimit: requestsPerMinute }, { rateLimit: 'requestsPerMinute' })
      },
    },
    reset: () => turn(app, begun),
  }
}

/** The services ask the app for its configuration at every request, so that another one holds from the next on. */
function turn(app: App, changed: ConfigOptions, names: Readonly<Record<string, string>> = {}): void {
  const given = Object.entries(changed).filter(([, value]) => value !== undefined)
  const checked: Readonly<Record<string, unknown>> = readChanged(Object.fromEntries(given), names)
  const next = Object.fromEntries(given.map(([name]) => [name, checked[name]]))
  Object.assign(app, { config: { ...app.config, ...next } })
}

function readChanged(changed: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>): Config {
  try {
    return readConfig(changed, (name) => `\`${names[name] ?? name}\``)
  } catch (problem) {
    throw new TypeError(problem instanceof Error ? problem.message : String(problem))
  }
}
