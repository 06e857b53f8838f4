// All CommonJS entries must share one error class.
const process = require('node:process')
const { createClient, InvalidRequestError, isServiceError } = require('@service/client')
const { createAdminClient } = require('@service/client/admin')
const { createInboundClient } = require('@service/client/inbound')
const { verifySync, WebhookVerificationError } = require('@service/webhooks')
const { signedDelivery, testSecret } = require('@service/webhooks/testing')

async function collectResults() {
  const client = createClient({ baseUrl: 'https://platform.example/api/v1', token: 'token', workspace: 1 })
  const { error } = await client.tickets.create({ title: 7 }).safe()
  const delivery = await signedDelivery('task.created')
  let code
  try {
    verifySync({ ...delivery, secret: 'another' })
  } catch (thrown) {
    code = thrown instanceof WebhookVerificationError && thrown.code
  }
  return {
    client: isServiceError(error) && error instanceof InvalidRequestError,
    functions: [typeof createAdminClient, typeof createInboundClient],
    type: verifySync({ ...delivery, secret: testSecret }).type,
    code,
  }
}

void collectResults().then((results) => process.stdout.write(JSON.stringify(results)))
