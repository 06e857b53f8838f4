import { createHmac } from 'node:crypto'
import { isSameSecret } from '../sanitize/signature.ts'

export type HandshakeAnswer =
  | { readonly status: 200; readonly contentType: 'text/plain' | 'application/json'; readonly body: string }
  | { readonly status: 403; readonly message: string }

const refuse = (message: string): HandshakeAnswer => ({ status: 403, message })

/** Meta and WhatsApp: echo the challenge if the caller sends the correct verify token. */
const answerMeta = (query: URLSearchParams, secret: string): HandshakeAnswer => {
  const challenge = query.get('hub.challenge') ?? ''
  const isAsked = query.get('hub.mode') === 'subscribe' && /^[\x21-\x7e]{1,512}$/.test(challenge)
  if (!isAsked) return refuse('hub.mode must be subscribe, and hub.challenge 1 to 512 visible ASCII characters.')
  if (!isSameSecret(Buffer.from(query.get('hub.verify_token') ?? ''), secret))
    return refuse('The verify token is wrong.')
  return { status: 200, contentType: 'text/plain', body: challenge }
}

const linkedInCode = /^[\w.~-]{1,255}$/

/**
 * LinkedIn: sign the code that it sends, a UUID today. The same key signs its deliveries, and anyone can request a
 * signature here, so no code that could be JSON is signed, and only a delivery that starts like JSON is accepted
 * (`platform-signature.ts`).
 */
const answerLinkedIn = (code: string, secret: string): HandshakeAnswer => {
  if (!linkedInCode.test(code))
    return refuse('challengeCode must be 1 to 255 letters, digits, hyphens, dots, underscores, and tildes.')
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
  if (!secret) return refuse('The lead source has no secret to answer a challenge with.')
  return code === null ? answerMeta(query, secret) : answerLinkedIn(code, secret)
}
