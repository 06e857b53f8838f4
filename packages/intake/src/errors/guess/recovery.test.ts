import { describe, expect, it } from 'vitest'
import { levelOf } from '../level.ts'
import { readErrorReports } from '../read-error-reports.ts'

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

/** Whether a ticket is opened at the default level. */
const opens = (body: unknown): boolean =>
  read(body).some((record) => !record.recovered && ['error', 'critical', 'alert', 'fatal'].includes(levelOf(record)))

describe('an error next to the state of another object', () => {
  it.each([
    ['an order', { message: 'The payment failed', order: { status: 'closed' } }],
    ['an order, in one word', { message: 'The customer sees a blank page', order_status: 'delivered' }],
    ['an object that is not monitored', { message: 'The customer sees a blank page', order: { status: 'delivered' } }],
    ['a person', { message: 'The page is blank', user: { status: 'online' } }],
    ['the browser', { error: 'rendering failed', online: true }],
    ['the page', { error: 'rendering failed', props: { resolved: true } }],
    ['the last step', { error: 'no stock', context: { step: 'closed', status: 'success' } }],
    ['the answer', { error: 'unexpected token <', response: { status: 'ok' } }],
    ['what was done', { action: 'close', error: 'the shift does not add up' }],
    ['what is done next', { action: 'resolve', error: 'no such host' }],
    ['what went before', { message: 'The disk is full', event: 'backup.completed' }],
    ['work that goes on', { message: 'The payment failed', status: 'pending' }],
    ['each of many checks', { message: 'The user list is empty', checks: [{ name: 'db', status: 'ok' }] }],
    ['labels', { message: 'The user list is empty', labels: { state: 'ok' } }],
    ['a job that has a name', { name: 'checkout', status: 'ok', error: 'card declined' }],
    ['what has the name of a class', { name: 'TypeError', message: 'x is undefined', status: 'ok' }],
    ['a cron job', { exception: 'no bin', trigger: 'cron', result: 'ok' }],
    ['an answer of 200, where none is said of something', { error: 'none of the rows fit', status: 200 }],
    ['an answer of 200', { error: 'no stock', status: 200 }],
    ['a page that was answered well', { 'csp-report': { 'violated-directive': 'img-src', 'status-code': 200 } }],
    ['an answer of 200, in the documented shape', { message: 'The payment failed', status_code: 200 }],
    ['a kind of note', { error: 'the disk is full', type: 'info' }],
    ['an order, beside a rule', { rule: 'a price', severity: 'high', message: 'no price', order: { status: 'paid' } }],
    ['the page about it', { incident: { title: 'The shop is down' }, page: { status: 'operational' } }],
    ['a socket', { error: { status: 'closed', message: 'socket hang up' } }],
    ['a machine that runs', { machine: 'press 4', status: 'running', message: 'The oil pressure is low' }],
    ['a logger', { message: 'The payment failed', logger: { level: 'info' } }],
    ['a notification', { error: 'The payment failed', notification: { type: 'info' } }],
    ['a request that went well', { message: 'boom', res: { statusCode: 204 } }],
    ['what was logged before', { crash: 'The cart broke', logs: [{ message: 'started', level: 'info' }] }],
    ['what was clicked before', { problem: 'The cart broke', events: [{ text: 'Pay', type: 'click' }] }],
    ['a program that ended well', { exit_code: 0, stderr: 'fatal: no such remote' }],
    ['properties', { event: 'error', properties: { message: 'card declined' }, distinct_id: 'u1' }],
    ['a service in a notification', { service: 'login', message: 'The login failed', status: 'up' }],
    ['a build in a report', { message: 'Payment failed', job: { status: 'success' } }],
    ['a build that failed', { build: { status: 'failed' }, message: 'Fix null pointer error' }],
    ['a job that updates', { job: { status: 'success' }, message: 'Update failed for 3 rooms' }],
    ['a build that tests', { build: { status: 'success' }, message: 'Test database cannot be reached' }],
    ['no build', { status: 'ok', message: 'Fix the login, it does not work' }],
    ['what is looked into', { incident: { name: 'Payments', status: 'investigating', impact: 'major' } }],
    ['a rule of no severity', { severity: 'none', message: 'cannot connect to the database' }],
    ['an alarm that has a name', { alarm: 'Door closed', message: 'The door does not lock' }],
    ['an alarm that goes off', { alarm: 'RAISED' }],
    ['what a logger calls an error', { level: 'error', message: 'OK: but the mail could not be sent' }],
    ['a word of another language', { message: 'Не удалось оплатить заказ', status: 'closed' }],
  ])('opens a ticket: %s', (_, body) => {
    expect(opens(body)).toBe(true)
  })

  it.each([
    'resolved the host name to the wrong address',
    'The data could not be recovered',
    'The lock is never cleared',
    'Session closed',
    'Info page is blank',
    'Up button does nothing',
    'OK - the dialog hangs',
  ])('opens a ticket for the sentence: %s', (message) => {
    expect(opens({ message })).toBe(true)
  })
})

describe('a recovery', () => {
  it.each([
    ['says so in its state', { status: 'resolved', message: 'The payment gateway refused connections' }],
    ['says so in its kind', { event: 'monitor.recovered', error: 'timeout', url: 'https://shop.example' }],
    ['says so in its title', { title: 'Resolved: checkout failed', status: 'closed' }],
    ['says so of the error', { error: { id: 7, message: 'none left', status: 'resolved' } }],
    ['of a job has no errors', { job: { name: 'nightly', status: 'success' }, message: 'completed without errors' }],
    ['of an alarm that a function receives', alarm('OK', 'ALARM')],
    [
      'closes an alarm by its key',
      { event_action: 'resolve', dedup_key: 'disk', payload: { summary: 'The disk is full' } },
    ],
    [
      'is of the group of an alarm',
      { alert: { actionGroup: 'recovered' }, context: { reason: 'Errors of shop recovered' } },
    ],
    [
      'of a machine at work says how far',
      { eventType: 'analysis.progress', data: { progress: 45, status: 'RUNNING' } },
    ],
    ['of a conversion says how far', { type: 'item', status: 'running', pct: 0, message: 'converting page 5' }],
    ['names no error', { error: 'none', status: 200, message: 'ok' }],
    ['says that there is no error', { error: 'No error', code: 200, message: 'ok' }],
    ['went well and changed nothing', { success: true, errors: [], message: 'nothing changed' }],
    ['is one word about an alarm', { alarm: 'CLEARED' }],
    ['is of a build and names the change', { build: { status: 'success' }, message: 'Fix null pointer error' }],
    [
      'is of a rule that always fires, whatever it says',
      {
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'Watchdog', severity: 'none' },
            annotations: { message: 'Told when it is not firing' },
          },
        ],
      },
    ],
    [
      'is of a build and names the change by its kind',
      { pipeline: { status: 'success' }, message: 'fix(cart): crash on null' },
    ],
    ['is of a rule that always fires', { severity: 'none', message: 'This alert is always firing' }],
    ['is a word', { code: 200, msg: 'SUCCESS', data: {} }],
    ['tells when', { message: 'The disk is full', resolved_at: '2026-11-20T10:30:00Z' }],
    ['says that a page is up', { url: 'https://shop.example', status: 'UP', reason: 'Timeout' }],
    ['says that a machine is up', { host: 'db-1', state: 'back up', error: 'connection refused' }],
    ['says that a check is fine', { check_name: 'failed logins', state: 'OK' }],
    [
      'is what a plugin prints',
      { host: 'web-1', service: 'HTTP', status: 'OK', output: 'HTTP OK: 200, 0.2 s, no error' },
    ],
    ['says so of the state of an alarm', { title: 'Error budget', alertState: 'OK', message: 'Too many errors' }],
    [
      'says so of an alarm in an object',
      { action: 'closed', incident: { title: 'Errors', detail: 'checkout failed' } },
    ],
    ['says that something is fine now', { message: 'The error rate is now OK', status: 'OK' }],
    ['lists what went well', { run: 'r1', notifications: [{ message: 'Applied', run_status: 'applied' }] }],
  ])('opens no ticket when it %s', (_, body) => {
    expect(opens(body)).toBe(false)
  })

  it('is not an access log line for a page named after an error', () => {
    expect(opens({ message: 'GET /errors/failed', status: 200 })).toBe(false)
  })

  it('does not include an active alarm that a function receives', () => {
    expect(opens(alarm('ALARM', 'OK'))).toBe(true)
    expect(read(alarm('ALARM', 'OK'))).toMatchObject([{ exception: 'shop-5xx', message: 'Too many answers of 500' }])
  })
})

function alarm(value: string, before: string) {
  return {
    source: 'aws.cloudwatch',
    alarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop-5xx',
    alarmData: {
      alarmName: 'shop-5xx',
      state: { value, reason: 'Too many answers of 500' },
      previousState: { value: before, reason: 'as it was' },
    },
  }
}
