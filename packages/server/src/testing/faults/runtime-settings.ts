import type { App } from '../../context.ts'
import { type Config, readConfig } from '../../core/config.ts'
import { keysOf, requireKnown } from '../../core/known-keys.ts'

const quirkNames = keysOf<Quirks>({ createdStatus: true, deviceNotFoundStatus: true, unknownWorkspaceStatus: true })

/** Switches for the cases in which the platform's documentation is ambiguous. */
export interface Quirks {
  /** The status of creations. */
  readonly createdStatus: 200 | 201
  /** The status of the attendance webhook for an unknown device. */
  readonly deviceNotFoundStatus: 200 | 422
  /** The status of a request to a workspace that does not exist. */
  readonly unknownWorkspaceStatus: 403 | 404
}

/** Switches quirks at run time, so that one test can cover both readings. `reset()` restores them. */
export interface QuirkControl {
  readonly current: Quirks
  /** Omitted quirks keep their values. */
  set(quirks: Partial<Quirks>): void
}

/** The rate limit at run time. `reset()` restores it. */
export interface LimitControl {
  readonly requestsPerMinute: number | 'off'
  /** Counts are kept: a caller above the new limit waits for the end of its window. */
  set(limits: { readonly requestsPerMinute: number | 'off' }): void
}

/** The values of the settings. */
export type SettingValues = Pick<Config, keyof Quirks | 'rateLimit'>

/** Run-time settings, and their reset to the server's options. */
export interface RuntimeSettings {
  readonly quirks: QuirkControl
  readonly limits: LimitControl
  reset(): void
  values(): SettingValues
  /** Takes over the values of another server. A reset still restores this server's options. */
  adopt(values: SettingValues): void
}

const valuesOf = ({
  createdStatus,
  deviceNotFoundStatus,
  unknownWorkspaceStatus,
  rateLimit,
}: Config): SettingValues => ({
  createdStatus,
  deviceNotFoundStatus,
  unknownWorkspaceStatus,
  rateLimit,
})

export function createRuntimeSettings(app: App): RuntimeSettings {
  const initial = valuesOf(app.config)
  return {
    quirks: {
      get current() {
        const { rateLimit: _, ...quirks } = valuesOf(app.config)
        return quirks
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
    values: () => valuesOf(app.config),
    adopt: (values) => change(app, values),
  }
}

/** Services read the app's configuration on every request, so changes apply from the next one on. */
function change(app: App, changed: Partial<SettingValues>): void {
  const changes = Object.entries(changed).filter(([, value]) => value !== undefined)
  try {
    const checked = readConfig(Object.fromEntries(changes), (name) =>
      name === 'rateLimit' ? '`requestsPerMinute`' : `\`${name}\``,
    )
    const next = Object.entries(checked).filter(([name]) => changes.some(([each]) => each === name))
    Object.assign(app, { config: { ...app.config, ...Object.fromEntries(next) } })
  } catch (problem) {
    throw new TypeError(problem instanceof Error ? problem.message : String(problem))
  }
}
