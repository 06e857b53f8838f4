// Where an encrypted text stands. It is a part of what is authenticated, so that no text can be moved elsewhere.

export const secretPlace = (subscriptionId: number) => `subscription:${subscriptionId}:secret`
export const urlPlace = (subscriptionId: number) => `subscription:${subscriptionId}:url`
export const headersPlace = (subscriptionId: number) => `subscription:${subscriptionId}:headers`
export const integrationPlace = (workspaceId: number, kind: string) => `integration:${workspaceId}:${kind}`
export const leadSourcePlace = (workspaceId: number, source: string) => `lead-source:${workspaceId}:${source}`
export const answerPlace = ({ scope, key }: { readonly scope: string; readonly key: string }) =>
  `idempotency:${scope}:${key}`
