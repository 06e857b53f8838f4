import { receivePunch, recordPunch } from '@service/contract'
import { type Check, expectSame, expectShape, expectStatus, expectThat } from '../probe.ts'

const unknownDevice = {
  employee_code: 'CONFORMANCE',
  external_device_id: 'conformance-no-such-device',
  direction: 'in',
}

export const attendanceChecks: readonly Check[] = [
  {
    section: '§4',
    title: 'a punch without an employee gives 422',
    basis: 'documented',
    operation: recordPunch.operation,
    run: async (probe) => expectStatus(await probe.api(recordPunch.path, { body: { direction: 'in' } }), 422),
  },
  {
    section: '§7',
    title: 'a punch of an unregistered device gives 422',
    basis: 'documented',
    operation: recordPunch.operation,
    run: async (probe) => expectStatus(await probe.api(recordPunch.path, { body: unknownDevice }), 422),
  },
  {
    section: '§4',
    title: 'a punch is recorded, and the same one again is a duplicate',
    basis: 'documented',
    operation: recordPunch.operation,
    writes: true,
    async run(probe) {
      const employee_code = probe.need(probe.target.employeeCode, '--employee-code')
      const device_id = probe.need(probe.target.deviceId, '--device-id')
      const body = { employee_code, device_id, direction: 'in', timestamp: new Date().toISOString() }
      const first = await probe.api(recordPunch.path, { body })
      expectStatus(first, 200, 201)
      const { recorded } = expectShape(recordPunch.responses[200], first)
      expectSame(true, recorded, 'recorded')
      expectThat(!('received' in (first.json as object)), 'no received on the REST form', first.json) // a shape was found in it
      const again = expectShape(recordPunch.responses[200], await probe.api(recordPunch.path, { body }))
      expectSame(true, again.duplicate, 'duplicate')
    },
  },
  {
    section: '§4',
    title: 'the attendance webhook records a punch and says that it received it',
    basis: 'documented',
    operation: receivePunch.operation,
    writes: true,
    async run(probe) {
      const secret = probe.need(probe.target.secrets.attendance, '--attendance-secret')
      const employee_code = probe.need(probe.target.employeeCode, '--employee-code')
      const device_id = probe.need(probe.target.deviceId, '--device-id')
      const body = { employee_code, device_id, direction: 'out', timestamp: new Date().toISOString() }
      const headers = { 'x-service-webhook-secret': secret }
      const reply = await probe.inbound(receivePunch.path, { headers, body })
      expectStatus(reply, 200)
      const { received, recorded } = Object(expectShape(receivePunch.responses[200], reply))
      expectSame({ received: true, recorded: true }, { received, recorded }, 'answer')
    },
  },
  {
    section: '§4',
    title: 'the attendance webhook reports an unregistered device with 422 or 200',
    basis: 'documented',
    operation: receivePunch.operation,
    writes: true,
    async run(probe) {
      const secret = probe.need(probe.target.secrets.attendance, '--attendance-secret')
      const headers = { 'x-service-webhook-secret': secret }
      const reply = await probe.inbound(receivePunch.path, { headers, body: unknownDevice })
      expectStatus(reply, 422, 200)
      const { reason, recorded } = Object(reply.json)
      expectSame({ recorded: false, reason: 'device_not_found' }, { recorded, reason }, 'answer')
    },
  },
  {
    section: '§5',
    title: 'a wrong attendance secret gives 401',
    basis: 'decided',
    operation: receivePunch.operation,
    async run(probe) {
      const headers = { 'x-service-webhook-secret': 'wrong' }
      expectStatus(await probe.inbound(receivePunch.path, { headers, body: unknownDevice }), 401)
    },
  },
]
