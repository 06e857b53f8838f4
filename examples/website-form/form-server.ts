import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { InboundClient } from '@service/client/inbound'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Contact us</title>
<form method="post" action="/contact">
<label>Name <input name="name" required></label>
<label>Email <input name="email" type="email" required></label>
<label>Message <textarea name="message"></textarea></label>
<label hidden>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label>
<button>Send</button>
</form>
</html>
`

/** Serves the form and forwards submissions to the platform. */
export const createFormServer = (inbound: InboundClient): Server =>
  createServer((request, response) => {
    handle(request, response, inbound).catch(() => {
      // The platform was unavailable, even after the client's retries.
      reply(response, 503, 'Please try again in a moment.')
    })
  })

async function handle(request: IncomingMessage, response: ServerResponse, inbound: InboundClient): Promise<void> {
  if (request.method === 'GET') return reply(response, 200, page)
  if (request.method !== 'POST' || request.url !== '/contact') return reply(response, 404, 'Page not found.')
  const form = new URLSearchParams(await text(request))
  const field = (name: string) => form.get(name)?.trim() ?? ''
  if (field('website') === '') {
    await inbound.leads.capture('website', {
      name: field('name'),
      email: field('email'),
      message: field('message'),
    })
  }
  reply(response, 200, 'Thank you. We will write to you.')
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body)
}
