// An allowlist: what a gateway adds may be a session, and what is not known is not shown.
const shown =
  /^(content-type|date|etag|idempotency-replayed|(x-)?ratelimit-(limit|remaining|reset)|retry-after|x-request-id)$/

export const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => shown.test(name)))
