import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type HandshakeAnswer =
  | { readonly status: 200; readonly contentType: 'text/plain' | 'application/json'; readonly body: string }
  | { readonly status: 403 }

const refused: HandshakeAnswer = { status: 403 }

const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest()
const isSame = (given: string, secret: string) => timingSafeEqual(digest(given), digest(secret))

/** Meta and WhatsApp: prove that the receiver knows the verify token, by echoing the challenge to whoever knows it too. */
const answerMeta = (query: URLSearchParams, secret: string): HandshakeAnswer => {
  const challenge = query.get('hub.challenge') ?? ''
  const isAsked = query.get('hub.mode') === 'subscribe' && /^[\x21-\x7e]{1,512}$/.test(challenge)
  if (!isAsked || !isSame(query.get('hub.verify_token') ?? '', secret)) return refused
  return { status: 200, contentType: 'text/plain', body: challenge }
}

/**
 * LinkedIn: sign the code it sends. The same key signs its deliveries, so anybody may ask for a signature here;
 * only letters, digits and dashes are signed, which no delivery consists of.
 */
const answerLinkedIn = (code: string, secret: string): HandshakeAnswer => {
  if (!/^[A-Za-z0-9-]{1,128}$/.test(code)) return refused
  const challengeResponse = createHmac('sha256', secret).update(code).digest('hex')
  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ challengeCode: code, challengeResponse }),
  }
}

/** The answer to a platform's challenge on the GET route, or null when the request is an ordinary ping. */
export const answerHandshake = (query: URLSearchParams, secret: string | null): HandshakeAnswer | null => {
  const code = query.get('challengeCode')
  const isMeta = query.has('hub.mode') || query.has('hub.challenge') || query.has('hub.verify_token')
  if (code === null && !isMeta) return null
  if (!secret) return refused
  return code === null ? answerMeta(query, secret) : answerLinkedIn(code, secret)
}
