// Deliveries as jobs of graphile-worker: node graphile-worker.mjs <database> <receiver> <body> <jobs> [batched]. Each job signs a
// body and sends it by fetch; what fails is tried again as the library has it.
import { createHmac, randomUUID } from 'node:crypto'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'

const [connectionString, receiverUrl, sample, jobs, batched] = process.argv.slice(2)
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const logger = new Logger(() => () => undefined)

async function deliver(payload) {
  const body = JSON.stringify(payload)
  const response = await fetch(receiverUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-Service-Event': 'ticket.created',
      'X-Service-Signature': createHmac('sha256', secret).update(body).digest('hex'),
      'X-Service-Delivery': randomUUID(),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`The receiver answered ${response.status}.`)
}

const utils = await makeWorkerUtils({ connectionString, logger })
await utils.migrate()
await utils.withPgClient((client) =>
  client.query(
    `select count(*) from graphile_worker.add_jobs(array(
      select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'deliver', 'payload', $1::json))
      from generate_series(1, $2::int)))`,
    [sample, Number(jobs)],
  ),
)
await utils.release()
const worker =
  batched === 'batched' ? { localQueue: { size: 512 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 } : {}
const runner = await run({
  ...{ connectionString, logger, noHandleSignals: true, taskList: { deliver } },
  preset: { worker: { concurrentJobs: 64, ...worker } },
})
console.log(JSON.stringify({ event: 'ready', base_url: receiverUrl }))
process.once('SIGTERM', () => runner.stop().finally(() => process.exit()))
