import { createWebhookHandler } from '@service/webhooks/next'
import type { Receiver } from './receiver.ts'

/** The `POST` of `app/webhooks/route.ts`. The app router does not parse bodies. */
export const createRoute = ({ secret, on }: Receiver) => createWebhookHandler({ secret, on })
