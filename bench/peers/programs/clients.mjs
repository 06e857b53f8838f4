// Each client as its documentation sets it up, with the same two calls. `told` is what the caller learns of a failure.

const path = '/workspaces/1/tickets'
const ticket = { title: 'The printer is on fire', priority: 'high', tags: ['printer'] }

const resolved = (value) => ({ value })
const unwrap = ({ data, error }) => (error ? { told: error } : resolved(data))

async function fetchJson(url, init) {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`The platform answered ${response.status}.`)
  return resolved(await response.json())
}

/** Name → a function that makes it. `timeoutMs` goes to those that have such an option, `headers` to those that take some. */
export const clients = {
  async ours({ module, baseUrl, token, timeoutMs, headers }) {
    const { createClient } = await import(module)
    const { tickets } = createClient({ baseUrl, token, workspace: 1, timeoutMs })
    return {
      list: async ({ signal } = {}) => resolved(await tickets.list({ signal, headers })),
      create: async ({ signal, key } = {}) =>
        resolved(await tickets.create(ticket, { signal, headers, idempotencyKey: key })),
    }
  },
  async stripe({ baseUrl, token, timeoutMs, inProcess }) {
    const { default: Stripe } = await import('stripe')
    const { hostname, port, protocol, pathname } = new URL(baseUrl)
    const host = { host: hostname, port: port || 443, protocol: protocol.slice(0, -1) }
    const more = inProcess ? { httpClient: Stripe.createFetchHttpClient() } : {}
    const stripe = new Stripe(token, { ...host, ...more, timeout: timeoutMs })
    return {
      hasNoSignal: true,
      list: async () => resolved(await stripe.rawRequest('GET', `${pathname}${path}`)),
      create: async ({ key } = {}) =>
        resolved(await stripe.rawRequest('POST', `${pathname}${path}`, ticket, { idempotencyKey: key })),
    }
  },
  async openai({ baseUrl, token, timeoutMs, headers }) {
    const { default: OpenAI } = await import('openai')
    const openai = new OpenAI({ apiKey: token, baseURL: baseUrl, timeout: timeoutMs, defaultHeaders: headers })
    return {
      list: async ({ signal } = {}) => resolved(await openai.get(path, { signal })),
      create: async ({ signal, key } = {}) =>
        resolved(await openai.post(path, { body: ticket, signal, headers: key && { 'Idempotency-Key': key } })),
    }
  },
  octokitCore: async (options) => octokitCalls((await import('@octokit/core')).Octokit, options),
  octokit: async (options) => octokitCalls((await import('octokit')).Octokit, options),
  async resend({ baseUrl, token, headers }) {
    const { Resend } = await import('resend')
    const resend = new Resend(token, { baseUrl })
    return {
      list: async ({ signal } = {}) => unwrap(await resend.get(path, { signal, headers })),
      create: async ({ signal, key } = {}) =>
        unwrap(await resend.post(path, ticket, { signal, headers, idempotencyKey: key })),
    }
  },
  async openapiFetch({ baseUrl, token, headers }) {
    const { default: createClient } = await import('openapi-fetch')
    const api = createClient({ baseUrl, headers: { authorization: `Bearer ${token}`, ...headers } })
    return {
      list: async ({ signal } = {}) => unwrap(await api.GET(path, { signal })),
      create: async ({ signal, key } = {}) =>
        unwrap(await api.POST(path, { body: ticket, signal, headers: key && { 'idempotency-key': key } })),
    }
  },
  async ky({ baseUrl, token, timeoutMs, headers }) {
    const { default: ky } = await import('ky')
    const api = ky.create({
      prefix: baseUrl,
      headers: { authorization: `Bearer ${token}`, ...headers },
      timeout: timeoutMs,
    })
    return {
      list: async ({ signal } = {}) => resolved(await api.get(path.slice(1), { signal }).json()),
      create: async ({ signal, key } = {}) =>
        resolved(
          await api.post(path.slice(1), { json: ticket, signal, headers: key && { 'idempotency-key': key } }).json(),
        ),
    }
  },
  async fetch({ baseUrl, token, headers }) {
    const all = { authorization: `Bearer ${token}`, accept: 'application/json', ...headers }
    return {
      list: ({ signal } = {}) => fetchJson(baseUrl + path, { headers: all, signal }),
      create: ({ signal, key } = {}) =>
        fetchJson(baseUrl + path, {
          method: 'POST',
          headers: { ...all, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
          body: JSON.stringify(ticket),
          signal,
        }),
    }
  },
}

function octokitCalls(Octokit, { baseUrl, token, timeoutMs, headers }) {
  const octokit = new Octokit({ auth: token, baseUrl, request: { timeout: timeoutMs }, log: silent })
  return {
    list: async ({ signal } = {}) =>
      resolved((await octokit.request(`GET ${path}`, { headers, request: { signal } })).data),
    create: async ({ signal, key } = {}) =>
      resolved(
        (
          await octokit.request(`POST ${path}`, {
            ...ticket,
            headers: { ...headers, ...(key && { 'idempotency-key': key }) },
            request: { signal },
          })
        ).data,
      ),
  }
}

const nothing = () => undefined
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }
