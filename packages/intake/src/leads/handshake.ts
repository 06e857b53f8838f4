import { createHmac } from 'node:crypto'
import { isSameSecret } from '../sanitize/signature.ts'

export type HandshakeAnswer =
  | { readonly status: 200; readonly contentType: 'text/plain' | 'application/json'; readonly body: string }
  | { readonly status: 403 }

const refused: HandshakeAnswer = { status: 403 }

/** Meta and WhatsApp: echo the challenge if the caller sends the correct verify token. */
const answerMeta = (query: URLSearchParams, secret: string): HandshakeAnswer => {
  const challenge = query.get('hub.challenge') ?? ''
  const isAsked = query.get('hub.mode') === 'subscribe' && /^[\x21-\x7e]{1,512}$/.test(challenge)
  if (!isAsked || !isSameSecret(Buffer.from(query.get('hub.verify_token') ?? ''), secret)) return refused
  return { status: 200, contentType: 'text/plain', body: challenge }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * LinkedIn: sign the UUID that it sends. The same key signs its deliveries, and anyone can request a signature here, so
 * only a UUID is signed, and a delivery is accepted only if it starts like JSON (`platform-signature.ts`).
 */
const answerLinkedIn = (code: string, secret: string): HandshakeAnswer => {
  if (!uuid.test(code)) return refused
  const challengeResponse = createHmac('sha256', secret).update(code).digest('hex')
  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ challengeCode: code, challengeResponse }),
  }
}

/** The answer to a platform's challenge on the GET route, or null if the request is an ordinary ping. */
export const answerHandshake = (query: URLSearchParams, secret: string | null): HandshakeAnswer | null => {
  const code = query.get('challengeCode')
  const isMeta = query.has('hub.mode') || query.has('hub.challenge') || query.has('hub.verify_token')
  if (code === null && !isMeta) return null
  if (!secret) return refused
  return code === null ? answerMeta(query, secret) : answerLinkedIn(code, secret)
}
