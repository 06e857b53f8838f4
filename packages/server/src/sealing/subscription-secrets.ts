import type { App } from '../context.ts'

// What a subscription keeps secret: what it signs with, and its extra headers, as people put credentials into them.

const secretPlace = (subscriptionId: number) => `subscription:${subscriptionId}:secret`
const headersPlace = (subscriptionId: number) => `subscription:${subscriptionId}:headers`

type Headers = Readonly<Record<string, string>>

export const sealSecret = ({ sealer }: App, subscriptionId: number, secret: string): string =>
  sealer.seal(secret, secretPlace(subscriptionId))

export const unsealSecret = ({ sealer }: App, subscriptionId: number, sealed: string): string =>
  sealer.unseal(sealed, secretPlace(subscriptionId))

export const sealHeaders = ({ sealer }: App, subscriptionId: number, headers: Headers = {}): string | null =>
  Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), headersPlace(subscriptionId))

export const unsealHeaders = ({ sealer }: App, subscriptionId: number, sealed: string | null): Headers =>
  sealed === null ? {} : JSON.parse(sealer.unseal(sealed, headersPlace(subscriptionId)))
