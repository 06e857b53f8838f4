import type { App, TxApp } from '../context.ts'
import { headersContext, secretContext, urlContext } from './cipher.ts'
import { encrypt } from './encryption-key.ts'

// A subscription's signing secrets, extra headers, and URL are encrypted: headers and URLs may hold credentials.

type Headers = Readonly<Record<string, string>>

export const encryptSecret = (app: TxApp, subscriptionId: number, secret: string): Promise<string> =>
  encrypt(app, secret, secretContext(subscriptionId))

export const decryptSecret = ({ cipher }: App, subscriptionId: number, encrypted: string): string =>
  cipher.decrypt(encrypted, secretContext(subscriptionId))

export const encryptUrl = (app: TxApp, subscriptionId: number, url: string): Promise<string> =>
  encrypt(app, url, urlContext(subscriptionId))

export const decryptUrl = ({ cipher }: App, subscriptionId: number, encrypted: string): string =>
  cipher.decrypt(encrypted, urlContext(subscriptionId))

export const encryptHeaders = async (
  app: TxApp,
  subscriptionId: number,
  headers: Headers = {},
): Promise<string | null> =>
  Object.keys(headers).length === 0 ? null : encrypt(app, JSON.stringify(headers), headersContext(subscriptionId))

export const decryptHeaders = ({ cipher }: App, subscriptionId: number, encrypted: string | null): Headers =>
  encrypted === null ? {} : JSON.parse(cipher.decrypt(encrypted, headersContext(subscriptionId)))
