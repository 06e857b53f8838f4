import { type GitProvider, gitEventHeaders, gitProviders } from '@service/contract/values'
import type { PreparedCall } from '../prepared-call.ts'
import { writeJson } from '../write-json.ts'

export interface GitDelivery {
  readonly provider: GitProvider
  readonly event: string
  readonly id: string
  readonly payload: object | string
  readonly form: boolean
  readonly secret: string | null | undefined
}

const idHeaders: Readonly<Record<GitProvider, string>> = {
  github: 'x-github-delivery',
  gitlab: 'idempotency-key',
  bitbucket: 'x-request-uuid',
}

/** Writes a delivery like its provider: body, headers and signature. The body is written once, for all retries. */
export async function writeDelivery(call: PreparedCall, delivery: GitDelivery): Promise<PreparedCall> {
  const { provider, event, id, form } = delivery
  if (!gitProviders.includes(provider)) throw new TypeError(`provider must be one of: ${gitProviders.join(', ')}.`)
  if (form && provider !== 'github') throw new TypeError('form is supported only for github.')
  // Only GitLab sends this header, as the id of the delivery.
  const { 'idempotency-key': _, ...common } = call.headers
  const body = writeBody(call, delivery)
  const headers = {
    ...common,
    'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
    [gitEventHeaders[provider].toLowerCase()]: event,
    [idHeaders[provider]]: id,
    ...(await signatureHeaders(call, delivery, body)),
  }
  return { ...call, body, headers }
}

function writeBody(call: PreparedCall, { payload, form }: GitDelivery): string {
  const json = typeof payload === 'string' ? payload : writeJson(call, payload)
  return form ? new URLSearchParams({ payload: json }).toString() : json
}

type Headers = Readonly<Record<string, string>>

async function signatureHeaders({ settings }: PreparedCall, delivery: GitDelivery, body: string): Promise<Headers> {
  const { provider, secret, id } = delivery
  if (!secret) return {}
  if (provider === 'gitlab') {
    const seconds = Math.floor(settings.clock() / 1000)
    return secret.startsWith('whsec_')
      ? standardWebhookHeaders({ id, secret, body, seconds })
      : { 'x-gitlab-token': secret }
  }
  const name = provider === 'github' ? 'x-hub-signature-256' : 'x-hub-signature'
  return { [name]: `sha256=${toHex(await hmac(utf8(secret), body))}` }
}

interface SigningInput {
  readonly id: string
  readonly secret: string
  readonly body: string
  /** Unix time. */
  readonly seconds: number
}

/** GitLab's newer signing tokens follow Standard Webhooks, where `whsec_` is followed by the key in base64. */
async function standardWebhookHeaders({ id, secret, body, seconds }: SigningInput): Promise<Headers> {
  const digest = await hmac(standardKey(secret), `${id}.${seconds}.${body}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...digest))}`,
  }
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0))
  } catch {
    throw new TypeError('A secret with the prefix whsec_ must be base64.')
  }
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text)))
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
