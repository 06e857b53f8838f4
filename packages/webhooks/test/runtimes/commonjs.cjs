// What `require` gives must be one package: an error thrown by one entry is an instance of the class of another.
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
  const seen = {
    type: verifySync({ ...delivery, secret: testSecret }).type,
    main: thrownBy(() => verifySync({ ...delivery, secret: 'another' })),
    adapter: thrownBy(() => createWebhookHandler({ secret: '', on: {} })),
  }
  process.stdout.write(JSON.stringify(seen))
})
