// All CommonJS entries must share one error class.
const process = require('node:process')
const { verifySync, WebhookVerificationError } = require('@service/webhooks')
const { createWebhookHandler } = require('@service/webhooks/express')
const { testSecret, signedDelivery } = require('@service/webhooks/testing')

const thrownBy = (run) => {
  try {
    run()
  } catch (error) {
    return error instanceof WebhookVerificationError && error.code
  }
}

signedDelivery('task.created').then((delivery) => {
  const results = {
    type: verifySync({ ...delivery, secret: testSecret }).type,
    main: thrownBy(() => verifySync({ ...delivery, secret: 'another' })),
    adapter: thrownBy(() => createWebhookHandler({ secret: '', on: {} })),
  }
  process.stdout.write(JSON.stringify(results))
})
