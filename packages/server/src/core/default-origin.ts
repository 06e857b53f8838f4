/** Where a server stands that has no port and no public URL. Https, because clients show no token to a name over http. */
export const defaultOrigin = 'https://service.test'
