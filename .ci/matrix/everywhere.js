import { collectResults as fromClient } from './client.js'
import { collectResults as fromWebhooks } from './webhooks.js'

export const collectResults = async () => ({ client: await fromClient(), webhooks: await fromWebhooks() })
