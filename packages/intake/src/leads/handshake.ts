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
const answerLinkedIn = (query: URLSearchParams, secret: string): HandshakeAnswer => {
  const code = query.get('challengeCode') ?? ''
  if (!linkedInCode.test(code))
    return refuse('challengeCode must be 1 to 255 letters, digits, hyphens, dots, underscores, and tildes.')
  const challengeResponse = createHmac('sha256', secret).update(code).digest('hex')
  return {
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ challengeCode: code, challengeResponse }),
  }
}

interface Challenge {
  readonly parameters: readonly string[]
  answer(query: URLSearchParams, secret: string): HandshakeAnswer
}

const ofMeta: Challenge = { parameters: ['hub.mode', 'hub.challenge', 'hub.verify_token'], answer: answerMeta }
const ofLinkedIn: Challenge = { parameters: ['challengeCode'], answer: answerLinkedIn }

/** By source. TikTok sends no challenge before it delivers. */
const challenges: Readonly<Record<string, Challenge>> = { facebook: ofMeta, whatsapp: ofMeta, linkedin: ofLinkedIn }

interface Ping {
  readonly source: string
  readonly query: URLSearchParams
  readonly secret: string | null
}

/** The answer to a platform's challenge on the GET route, or null if the request is an ordinary ping. */
export const answerHandshake = ({ source, query, secret }: Ping): HandshakeAnswer | null => {
  const challenge = Object.hasOwn(challenges, source) ? challenges[source] : undefined
  if (challenge?.parameters.some((name) => query.has(name)) !== true) return null
  return secret ? challenge.answer(query, secret) : refuse('The lead source has no secret to answer a challenge with.')
}
