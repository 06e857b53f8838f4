import type { App } from '../context.ts'
import { headersContext, secretContext, urlContext } from './cipher.ts'

// A subscription's signing secrets, extra headers, and URL are encrypted: headers and URLs may hold credentials.

type Headers = Readonly<Record<string, string>>

export const encryptSecret = ({ cipher }: App, subscriptionId: number, secret: string): string =>
  cipher.encrypt(secret, secretContext(subscriptionId))

export const decryptSecret = ({ cipher }: App, subscriptionId: number, encrypted: string): string =>
  cipher.decrypt(encrypted, secretContext(subscriptionId))

export const encryptUrl = ({ cipher }: App, subscriptionId: number, url: string): string =>
  cipher.encrypt(url, urlContext(subscriptionId))

export const decryptUrl = ({ cipher }: App, subscriptionId: number, encrypted: string): string =>
  cipher.decrypt(encrypted, urlContext(subscriptionId))

export const encryptHeaders = ({ cipher }: App, subscriptionId: number, headers: Headers = {}): string | null =>
  Object.keys(headers).length === 0 ? null : cipher.encrypt(JSON.stringify(headers), headersContext(subscriptionId))

export const decryptHeaders = ({ cipher }: App, subscriptionId: number, encrypted: string | null): Headers =>
  encrypted === null ? {} : JSON.parse(cipher.decrypt(encrypted, headersContext(subscriptionId)))
