import { createWebhookHandler } from '@service/webhooks/lambda'
import type { Receiver } from './receiver.ts'

/** For API Gateway, function URLs, and load balancers. The handler decodes base64 bodies before it verifies them. */
export const createLambda = ({ secret, on }: Receiver) => createWebhookHandler({ secret, on })
