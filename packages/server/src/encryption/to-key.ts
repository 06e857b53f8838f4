import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** Any text of at least 32 characters is a key. */
export const toKey = (text: string): KeyObject => createSecretKey(createHash('sha256').update(text).digest())

export const makeKeyText = (): string => randomBytes(32).toString('base64url')
