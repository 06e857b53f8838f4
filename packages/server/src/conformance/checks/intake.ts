import { createHmac } from 'node:crypto'
import { receiveError, receiveGit, receiveLead } from '@service/contract'
import { type Check, expectSame, expectShape, expectStatus } from '../probe.ts'

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex')

const website = receiveLead.path.replace('{source}', 'website')

export const intakeChecks: readonly Check[] = [
  {
    section: '§5',
    title: 'an error report without credentials is refused with 401',
    basis: 'decided',
    operation: receiveError.operation,
    run: async (probe) => expectStatus(await probe.inbound(receiveError.path, { body: { message: 'x' } }), 401),
  },
  {
    section: '§4',
    title: 'an error report opens a ticket, and the same one again is counted on it',
    basis: 'documented',
    operation: receiveError.operation,
    writes: true,
    async run(probe) {
      const secret = probe.need(probe.target.secrets.errors, '--errors-secret')
      const headers = { 'x-service-webhook-secret': secret }
      const body = { message: 'Conformance check', exception: `Conformance${Date.now()}`, app_name: 'conformance' }
      const first = expectShape(receiveError.responses[200], await probe.inbound(receiveError.path, { headers, body }))
      const again = expectShape(receiveError.responses[200], await probe.inbound(receiveError.path, { headers, body }))
      expectSame([true, false], [first.ticket_created, again.ticket_created], 'ticket_created')
      expectSame(first.ticket_id, again.ticket_id, 'ticket_id')
    },
  },
  {
    section: '§5',
    title: 'a lead without the secret is refused with 401',
    basis: 'decided',
    operation: receiveLead.operation,
    run: async (probe) => expectStatus(await probe.inbound(website, { body: { name: 'x' } }), 401),
  },
  {
    section: '§4',
    title: 'a captured lead is created, and the same one again is a duplicate',
    basis: 'documented',
    operation: receiveLead.operation,
    writes: true,
    async run(probe) {
      const secret = probe.need(probe.target.secrets.leads, '--leads-secret')
      const headers = { 'x-service-webhook-secret': secret }
      const body = { name: 'Conformance check', email: `conformance-${Date.now()}-w@example.com` }
      const first = expectShape(receiveLead.responses[200], await probe.inbound(website, { headers, body }))
      const again = expectShape(receiveLead.responses[200], await probe.inbound(website, { headers, body }))
      expectSame([true, false], [first.lead_created, again.lead_created], 'lead_created')
      expectSame([false, true], [first.duplicate, again.duplicate], 'duplicate')
    },
  },
  {
    section: '§4',
    title: 'a Git event is received and becomes activity',
    basis: 'documented',
    operation: receiveGit.operation,
    writes: true,
    async run(probe) {
      const { git: secret } = probe.target.secrets
      const body = JSON.stringify({ zen: 'Conformance check', hook_id: 1 })
      const headers = {
        'x-github-event': 'ping',
        'x-github-delivery': `conformance-${Date.now()}`,
        ...(secret === undefined ? {} : { 'x-hub-signature-256': `sha256=${sign(secret, body)}` }),
      }
      const reply = await probe.inbound(receiveGit.path.replace('{provider}', 'github'), { headers, body })
      // Without a secret, GitHub's deliveries are accepted as long as the integration has none either.
      if (reply.status === 401) probe.need(secret, '--git-secret')
      expectStatus(reply, 200)
      expectSame(true, expectShape(receiveGit.responses[200], reply).received, 'received')
    },
  },
]
