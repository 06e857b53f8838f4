import { signatureHeader } from '@service/contract'

/** Receivers that verify the signature. They name a variable, so that no secret ends up in a program. */
export const receiverSamples = [
  {
    language: 'TypeScript',
    code: [
      `import express from 'express'`,
      `import { createWebhookHandler } from '@service/webhooks/express'`,
      '',
      `const app = express()`,
      `app.post('/webhooks', createWebhookHandler({`,
      `  secret: process.env.WEBHOOK_SECRET,`,
      `  on: { 'ticket.created': ({ payload }) => console.log(payload.ticket.title) },`,
      `}))`,
      `app.listen(3001)`,
    ].join('\n'),
  },
  {
    language: 'Python',
    code: [
      `import hashlib, hmac, os`,
      '',
      `def is_genuine(body: bytes, headers) -> bool:`,
      `    secret = os.environ['WEBHOOK_SECRET'].encode()`,
      `    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()`,
      `    return hmac.compare_digest(expected, headers['${signatureHeader}'])`,
    ].join('\n'),
  },
  {
    language: 'PHP',
    code: [
      `$expected = hash_hmac('sha256', file_get_contents('php://input'), getenv('WEBHOOK_SECRET'));`,
      `$given = $_SERVER['HTTP_${signatureHeader.toUpperCase().replaceAll('-', '_')}'] ?? '';`,
      `if (!hash_equals($expected, $given)) { http_response_code(401); exit; }`,
    ].join('\n'),
  },
] as const
