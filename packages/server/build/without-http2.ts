import type { Plugin } from 'rolldown'

const imported = 'import { Http2ServerRequest, constants } from "node:http2";'

/**
 * The adapter asks of each request whether it came over HTTP/2, which no port here speaks, and for that loads all of
 * `node:http2` at every start. It is given a class that no request belongs to.
 */
export const withoutHttp2 = (): Plugin => ({
  name: 'without-http2',
  transform: {
    filter: { id: /\/@hono\/node-server\/dist\/index\.mjs$/ },
    handler(code) {
      if (!code.includes(imported)) throw new Error('@hono/node-server imports node:http2 in another way than it did.')
      // On one line, so that the source map stays right.
      const replaced = code.replace(imported, 'class Http2ServerRequest {} const constants = { NGHTTP2_NO_ERROR: 0 };')
      return { code: replaced, map: null }
    },
  },
})
