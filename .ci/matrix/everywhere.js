import { see as seeClient } from './client.js'
import { see as seeWebhooks } from './webhooks.js'

export const see = async () => ({ client: await seeClient(), webhooks: await seeWebhooks() })
