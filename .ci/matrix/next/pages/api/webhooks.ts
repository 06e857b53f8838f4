import { createPagesHandler } from '@service/webhooks/next'
import type { NextApiHandler } from 'next'

export const config = { api: { bodyParser: false } }

export default createPagesHandler({
  secret: () => process.env.WEBHOOK_SECRET ?? '',
  on: { 'ticket.created': () => undefined },
}) satisfies NextApiHandler
