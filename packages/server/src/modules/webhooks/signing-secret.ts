import type { Ids } from '../../core/ids.ts'

/** 256 random bits as Standard Webhooks libraries want them: `whsec_` and base64. */
export const newSigningSecret = (ids: Ids): string => `whsec_${Buffer.from(ids.bytes(32)).toString('base64')}`
