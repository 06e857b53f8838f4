import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { InboundClient } from '@service/client/inbound'

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Contact us</title>
<form method="post" action="/contact">
<label>Name <input name="name" required></label>
<label>E-mail <input name="email" type="email" required></label>
<label>Message <textarea name="message"></textarea></label>
<label hidden>Leave this empty <input name="website" tabindex="-1" autocomplete="off"></label>
<button>Send</button>
</form>
</html>
`

/** Serves the form and hands what is sent on to the platform. */
export const createFormServer = (inbound: InboundClient): Server =>
  createServer((request, response) => {
    answer(request, response, inbound).catch(() => {
      // The platform could not be reached, though the client has tried several times.
      reply(response, 503, 'Please send it again in a moment.')
    })
  })

async function answer(request: IncomingMessage, response: ServerResponse, inbound: InboundClient): Promise<void> {
  if (request.method === 'GET') return reply(response, 200, page)
  if (request.method !== 'POST' || request.url !== '/contact') return reply(response, 404, 'There is no such page.')
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
