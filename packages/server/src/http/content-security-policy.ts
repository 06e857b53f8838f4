const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** Allows only this server's files: no other origins, no inline scripts or styles, no frames. */
export const contentSecurityPolicy = (overrides: Partial<typeof directives> = {}): string =>
  Object.entries({ ...directives, ...overrides })
    .map(([name, source]) => `${name} ${source}`)
    .join('; ')
