import { type ProbeResponse, Skipped, toProbeResponse } from './reply.ts'
import type { ConformanceTarget } from './target.ts'

interface Call {
  /** Null sends none; the target's own when left out. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes out as it is. */
  readonly body?: unknown
  readonly method?: string
}

/** Asks a deployment, as an integrator would. */
export interface Probe {
  readonly target: ConformanceTarget
  /** Below the base URL of the REST API; `{workspace}` is filled in. */
  api(path: string, call?: Call): Promise<ProbeResponse>
  /** Below the base URL of the inbound webhooks, without a token. */
  inbound(path: string, call?: Call): Promise<ProbeResponse>
  /** A value of the target that a check cannot do without. */
  need<Value>(value: Value | undefined, option: string): Value
}

export function createProbe(target: ConformanceTarget): Probe {
  const send = async (baseUrl: string, path: string, { token, headers = {}, body, method }: Call) => {
    const request = new Request(`${baseUrl}${path.replace('{workspace}', String(target.workspace))}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        ...(token === null || token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return toProbeResponse(await target.fetch(request))
  }
  return {
    target,
    api: (path, call = {}) => send(target.baseUrl, path, { token: target.token, ...call }),
    inbound: (path, call = {}) => send(target.webhookBaseUrl, path, call),
    need(value, option) {
      if (value === undefined) throw new Skipped(`needs ${option}`)
      return value
    },
  }
}
