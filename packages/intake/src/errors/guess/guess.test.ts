import { describe, expect, it } from 'vitest'
import { levelOf } from '../level.ts'
import { readErrorReports } from '../read-error-reports.ts'

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

// Bodies of fictional products, so only common field names identify their content.

const stack = 'StockError: none left\n    at take (/srv/stock.js:9:4)'

describe('a report of an unknown format', () => {
  it.each([
    [
      {
        error: { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.7', port: 5432 },
        app: 'shop',
      },
      { message: 'connect ECONNREFUSED 10.0.0.7:5432', app: 'shop' },
    ],
    [
      { name: 'NoSuchBin', Code: 'NoSuchBin', message: 'The bin does not exist.' },
      { message: 'The bin does not exist.', exception: 'NoSuchBin' },
    ],
    [
      { error: { code: 'InvalidAccessToken', message: 'The token has expired.' } },
      { message: 'The token has expired.', exception: 'InvalidAccessToken' },
    ],
    [
      { log: '✖  error     StockError: none left\n    at take (/srv/stock.js:9:5)' },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [{ lvl: 'ERR', txt: 'till 4 does not answer' }, { message: 'till 4 does not answer' }],
    [
      { log: 'could not pay: CartError: no cart\n    at pay (/srv/cart.js:3:4)' },
      { message: 'could not pay: CartError: no cart', exception: 'CartError', file: '/srv/cart.js', line: 3 },
    ],
    [
      { stack: 'ChatError[50013]: May not post\n    at post (/srv/chat.js:3:4)' },
      { message: 'May not post', exception: 'ChatError' },
    ],
    [{ msg: 'Script error.', url: '', page: 'https://shop.example/pay' }, { url: 'https://shop.example/pay' }],
    [
      { type: 'deployment.error', payload: { name: 'shop', meta: { githubCommitMessage: 'Fix the cart' } } },
      { message: null },
    ],
    [
      { nivel: 'ERRO', mensagem: 'O caixa 4 não responde' },
      { message: 'O caixa 4 não responde', severity: 'error' },
    ],
    [
      { errorCode: 422, message: 'no room 7' },
      { message: 'no room 7', status: 422 },
    ],
    [
      {
        summary: 'A click on the button failed',
        evidence: { event: 'click', exception: 'java.lang.NullPointerException' },
      },
      { message: 'A click on the button failed', exception: 'java.lang.NullPointerException' },
    ],
    [
      {
        name: 'RoomTaken',
        message: 'room 7 is taken',
        stack: 'Error: room 7 is taken\n    at book (/srv/rooms.js:8:2)',
      },
      { message: 'room 7 is taken', exception: 'RoomTaken', file: '/srv/rooms.js', line: 8 },
    ],
    [
      { name: 'Rooms', pid: 7, hostname: 'a', message: 'm', stack: 'Error: m\n    at book (/srv/rooms.js:8:2)' },
      { message: 'm', exception: 'Error', app: 'Rooms' },
    ],
    [
      { level: 1, label: 'ERROR', log: { message: 'no broker answers' } },
      { message: 'no broker answers', severity: 'error' },
    ],
    [
      {
        condition: 'NullReferenceException: no till',
        stackTrace: 'Till.Open () (at Assets/Till.cs:44)',
        type: 'Exception',
      },
      { message: 'no till', exception: 'NullReferenceException', file: 'Assets/Till.cs', line: 44 },
    ],
    [{ action: 'completed', workflow_run: { name: 'nightly', conclusion: 'failure' } }, { message: 'nightly' }],
    [
      { event: 'worker_error', level: 'error', details: { message: 'The line could not be written.' } },
      { message: 'The line could not be written.', severity: 'error' },
    ],
    [
      { _tag: 'Failure', cause: { reasons: [{ _tag: 'Fail', error: { _tag: 'NoStock', message: 'none left' } }] } },
      { message: 'none left', exception: 'NoStock' },
    ],
    [
      { mensaje: 'No hay precio', archivo: 'src/carro.php', línea: 42, nivel: 'error', servicio: 'tienda' },
      { message: 'No hay precio', file: 'src/carro.php', line: 42, severity: 'error', app: 'tienda' },
    ],
    [
      { args: ['There is no price list'], type: 'error', level: 0 },
      { message: 'There is no price list', severity: 'error' },
    ],
    [
      { message: 'paid', context: { logLevel: 30 }, sequence: '1' },
      { message: 'paid', severity: 'info' },
    ],
    [{ error: 'The disk is full', server: 'db1', info: 'see the wiki' }, { message: 'The disk is full' }],
    [{ type: 'error', data: 'The cart is gone' }, { message: 'The cart is gone' }],
    [
      { title: ['cart', 'pays'], state: 'failed', displayError: 'The button was never found' },
      { message: 'The button was never found' },
    ],
    [
      { type: 'info', service: 'shop', message: 'All orders are in' },
      { message: 'All orders are in', severity: 'info', app: 'shop' },
    ],
    [
      { message: '2026-11-20 10:30:00,123 ERROR [main] shop.Cart - no price', input: { type: 'log' } },
      { message: 'no price', severity: 'error' },
    ],
    [
      { message: 'The disk is full', tags: { severity: { value: 'high', color: 'red' } } },
      { message: 'The disk is full', severity: 'high' },
    ],
    [
      { service: 'disk', service_state: 'CRITICAL', service_output: 'The disk is full' },
      { message: 'The disk is full', severity: 'critical' },
    ],
    [
      { 'ERROR-MESSAGE': 'none left', 'Error-Class': 'StockError', App_Name: 'shop', Log_Level: 'Fatal' },
      { message: 'none left', exception: 'StockError', app: 'shop', severity: 'fatal' },
    ],
    [
      { MESSAGE: 'none left', PRIORITY: '3', SYSLOG_IDENTIFIER: 'stock' },
      { message: 'none left', severity: 'error', app: 'stock' },
    ],
    [
      {
        message: 'The task broke off',
        task: { lastProblem: { type: 'StockError', message: 'none left', stack: stack } },
      },
      { message: 'none left', exception: 'StockError', line: 9 },
    ],
    [
      { note: { attempt: { lastProblem: { kind: 'StockError', text: 'none left', stackTrace: stack } } } },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [
      { what: 'job 7', printed: stack },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [
      { kind: 'transfer_failed', object: { description: 'Order 7', failure_message: 'The bank said no' } },
      { message: 'The bank said no' },
    ],
    [
      { ref: '7', packed: '{"problem":{"reason":"The printer is jammed"},"component":"printing"}' },
      { message: 'The printer is jammed', app: 'printing' },
    ],
    [
      { problem: 'none left', at: { source_file: 'lib/stock.pl', row: 12 } },
      { message: 'none left', file: 'lib/stock.pl', line: 12 },
    ],
    [
      { headline: 'StockError: none left', type: 'Exception' },
      { message: 'none left', exception: 'StockError' },
    ],
    [{ title: 'High load', body: 'Load of web-1 is above 80' }, { message: 'Load of web-1 is above 80' }],
    [
      { err: 'StockError: none left', info: 'while rendering' },
      { message: 'none left', exception: 'StockError' },
    ],
    [
      { error: { title: 'Shop::StockError (none left (of 7))', app: { name: 'shop' } } },
      { exception: 'Shop::StockError', message: 'none left (of 7)', app: 'shop' },
    ],
    [
      { reason: 'EXC_BAD_ACCESS', details: 'A pointer was null', model: 'phone' },
      { exception: 'EXC_BAD_ACCESS', message: 'A pointer was null' },
    ],
    [{ message: 'none left', check: { last_status: 418 } }, { status: 418 }],
  ])('is read: %j', (body, expected) => {
    expect(read(body)).toEqual([expect.objectContaining(expected)])
  })

  it('uses no values of people, machines, histories, ports, and ids', () => {
    const [record] = read({
      problem: 'none left',
      app: 8080,
      service: '5432',
      user: { message: 'call me', service: 'none' },
      breadcrumbs: [{ message: 'clicked', level: 'info' }],
      device: { environment: 'a phone' },
    })
    expect(record).toMatchObject({ message: 'none left', app: null, environment: null, severity: null })
  })

  it('is read only near the top if a delivery is too large', () => {
    const hidden = { deep: { lastProblem: { text: 'none left', kind: 'StockError' } } }
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index]))
    const records = read(Array.from({ length: 1000 }, () => ({ message: 'm', ...hidden, ...more })))
    expect(records).toHaveLength(1000)
    expect([records[0], records[999]]).toMatchObject([{ exception: 'StockError' }, { exception: null }])
    // The next delivery starts with a new budget.
    expect(read(hidden)).toMatchObject([{ exception: 'StockError' }])
  })
})

describe('a state in the words of its sender', () => {
  it.each([
    [{ event: 'widget.recovered', widget: 'a' }],
    [{ subject: 'Load', resolutionState: 'Closed' }],
    [{ ActionType: 'resolve', text: 'Load of web-1' }],
    [{ probe_id: '1', name: 'Shop', is_ok: 1 }],
    [{ subject: '[SEVERE] RESOLVED: Load', severity: 'SEVERE' }],
    [{ title: 'Shop is back up' }],
    [{ title: 'Load', type: 'FIRING_TO_OK', severity: 'CRITICAL' }],
    [{ trigger_id: 't', TriggerType: 'ResolvedCritical' }],
    [{ trigger: { name: 'Queue' }, events: [{ state: 'OK', old_state: 'ERROR' }] }],
    [{ event: 'check_in_reporting', check_in: { state: 'reporting', name: 'backup' } }],
    [{ type: 'AlertNote', id: 7, log_entry: 'Closed by Ann' }],
    [{ event: 'alert_cleared', state: 'CRITICAL', alert: { name: 'Load' } }],
    [{ script: 'sync.js', exitMessage: 'finished', exitCode: 0 }],
  ])('is over: %j', (body) => {
    expect(read(body).map(({ recovered }) => recovered)).toEqual([true])
  })

  it.each([
    [{ type: 'deploy_ended', data: { name: 'shop', status: 'failed' } }],
    [{ status: 'SUCCESS', qualityGate: { name: 'ours', status: 'ERROR' } }],
    [{ type: 'payment_failed', data: { order: { status: 'PAID' } } }],
    [{ type: 'StatusChange', status: 'down', previous_status: 'up' }],
    [{ alert_type: 'origin_monitoring', text: 'The origin does not answer' }],
    [{ event: 'check.certificate_expiration', check: { url: 'https://shop.example', down: false } }],
    [{ event: 'outage.started', name: 'Shop' }],
    [{ status: 'ok', error: { name: 'StockError', message: 'none left', stack } }],
    [{ title: '[FIRING] Load', alert_type: 'error', priority: 'normal' }],
    [{ script: 'sync.js', exitMessage: 'finished', exitCode: 1 }],
    [{ event: 'order.created', error: 'The order could not be written' }],
    [{ event: 'heartbeat', status: 'down', service: 'shop' }],
    [{ job: 'backup', outcome: 'Backup of disk 3 did not finish' }],
  ])('opens a ticket: %j', (body) => {
    expect(read(body).map((record) => [record.recovered, levelOf(record)])).toEqual([[false, 'error']])
  })

  it.each([
    [{ event: 'sync_start', connector: 'a' }],
    [{ event: 'build:triggered', name: 'docs' }],
    [{ status: 'IN_PROGRESS', job: { name: 'nightly' } }],
    [{ event_type: 'acknowledge', Title: 'Too many 500s' }],
    [{ component: { name: 'Shop', status: 'under_maintenance' } }],
    [{ event: 'error_activity', error: { message: 'none left', status: 'Ignored' } }],
    [{ type: 'customer.created', data: { object: { id: 'cus_1' } } }],
    [{ eventName: 'OrderCreated', order: { id: 1 } }],
    [{ topic: 'orders/create', id: 820, line_items: [{ title: 'Shirt' }] }],
    [{ method: 'GET', path: '/', status: 200, duration: 12 }],
    [{ message: '10.0.0.1 - - [20/Nov/2026:10:00:00 +0000] "GET /error HTTP/1.1" 200 12 "-" "curl"' }],
  ])('is information: %j', (body) => {
    expect(read(body).map(levelOf)).toEqual(['info'])
  })

  it.each([
    [{ type: 'heartbeat', service: 'shop', timestamp: 1 }],
    [{ kind: 'agent.heartbeat', data: { host: 'db-1', load: 0.2 } }],
    [{ heartbeat: { status: 'alive', host: 'a' } }],
    [{ event: 'ping', zen: 'Keep it simple.', hook_id: 4 }],
    [{ update_id: 1, callback_query: { id: '4', data: 'yes', message: { text: 'Restart the failed job?' } } }],
    [{ type: 'block_actions', user: { id: 'U1' }, actions: [{ action_id: 'a' }] }],
  ])('is no report at all: %j', (body) => {
    expect(read(body)).toEqual([])
  })
})
