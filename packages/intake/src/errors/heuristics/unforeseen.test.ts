import { describe, expect, it } from 'vitest'
import { fingerprint } from '../fingerprint.ts'
import { levelOf } from '../level.ts'
import { readErrorReports, readFormattedReports } from '../read-error-reports.ts'

const encode = (body: unknown) => ({
  body: new TextEncoder().encode(JSON.stringify(body)),
  headers: new Headers(),
})
const read = (body: unknown) => readErrorReports(encode(body))

// Bodies of products that do not exist: nothing in them can be known by more than what its names have in common.

const stack = 'StockError: none left\n    at take (/srv/stock.js:9:4)'

describe('a report of a shape that nobody foresaw', () => {
  it.each([
    [
      'an error of a system call, which loses its sentence in JSON',
      {
        error: { errno: -111, code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.7', port: 5432 },
        app: 'shop',
      },
      { message: 'connect ECONNREFUSED 10.0.0.7:5432', app: 'shop' },
    ],
    [
      'a name that is the code of an error',
      { name: 'NoSuchBin', Code: 'NoSuchBin', message: 'The bin does not exist.' },
      { message: 'The bin does not exist.', exception: 'NoSuchBin' },
    ],
    [
      'a code that is the name of an error',
      { error: { code: 'InvalidAccessToken', message: 'The token has expired.' } },
      { message: 'The token has expired.', exception: 'InvalidAccessToken' },
    ],
    [
      "an error by the canonical code of Google's APIs",
      { error: { code: 403, message: 'The caller may not do that', status: 'PERMISSION_DENIED' } },
      { message: 'The caller may not do that', exception: 'PERMISSION_DENIED', status: 403 },
    ],
    [
      'a status that is none of these codes',
      { error: { code: 500, message: 'The till is stuck', status: 'FAILED' } },
      { message: 'The till is stuck', status: 500 },
    ],
    [
      'a class in the stack beside the one that logged it',
      {
        class: 'com.shop.Startup',
        line: 296,
        message: 'The catalogue did not start',
        stack_trace: 'java.lang.IllegalStateException\n\tat com.shop.Catalogue.start(Catalogue.java:28)',
      },
      { message: 'The catalogue did not start', exception: 'java.lang.IllegalStateException' },
    ],
    [
      'what loggers for terminals put in front of an error',
      { log: '✖  error     StockError: none left\n    at take (/srv/stock.js:9:5)' },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [
      'an error in brackets',
      { log: '[StockError: none left]\n    at take (/srv/stock.js:9:5)' },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    ['a short name of a text', { lvl: 'ERR', txt: 'till 4 does not answer' }, { message: 'till 4 does not answer' }],
    [
      'a sentence beside an error that lost its own',
      { message: "ENOENT: no such file, open '/rates'", error: { code: 'ENOENT', syscall: 'open', path: '/rates' } },
      { message: "ENOENT: no such file, open '/rates'" },
    ],
    [
      'what was said in front of a stack',
      { log: 'could not pay: CartError: no cart\n    at pay (/srv/cart.js:3:4)' },
      { message: 'could not pay: CartError: no cart', exception: 'CartError', file: '/srv/cart.js', line: 3 },
    ],
    [
      'a class with a code in brackets',
      { stack: 'ChatError[50013]: May not post\n    at post (/srv/chat.js:3:4)' },
      { message: 'May not post', exception: 'ChatError' },
    ],
    [
      'a list with a number, which is no class',
      { message: 'Cart[4]: broken', level: 'error' },
      { message: 'Cart[4]: broken', exception: null },
    ],
    [
      'an answer that is named an error',
      { name: 'HttpErrorResponse', message: 'The till answered 500', status: 500, error: { message: 'closed' } },
      { exception: 'HttpErrorResponse', status: 500 },
    ],
    [
      'the page of a browser',
      { msg: 'Script error.', url: '', page: 'https://shop.example/pay' },
      { url: 'https://shop.example/pay' },
    ],
    ['a page that has a number', { msg: 'no text', page: 3 }, { url: null }],
    [
      'a deployment, and not the change that was deployed',
      { type: 'deployment.error', payload: { name: 'shop', meta: { githubCommitMessage: 'Fix the cart' } } },
      { message: null },
    ],
    [
      'a level in another language',
      { nivel: 'ERRO', mensagem: 'O caixa 4 não responde' },
      { message: 'O caixa 4 não responde', severity: 'error' },
    ],
    [
      'what nothing caught, with its stack below',
      { message: 'uncaughtException: no cart\nCartError: no cart\n    at pay (/srv/cart.js:3:4)' },
      { exception: 'CartError', file: '/srv/cart.js', line: 3 },
    ],
    ['a status that is called a code', { errorCode: 422, message: 'no room 7' }, { message: 'no room 7', status: 422 }],
    ['a code that is no status', { errorCode: 65536, message: 'no room 7' }, { message: 'no room 7', status: null }],
    [
      'a sentence above an error that only has a class',
      {
        summary: 'A click on the button failed',
        evidence: { event: 'click', exception: 'java.lang.NullPointerException' },
      },
      { message: 'A click on the button failed', exception: 'java.lang.NullPointerException' },
    ],
    [
      'an error that was named after it was made',
      {
        name: 'RoomTaken',
        message: 'room 7 is taken',
        stack: 'Error: room 7 is taken\n    at book (/srv/rooms.js:8:2)',
      },
      { message: 'room 7 is taken', exception: 'RoomTaken', file: '/srv/rooms.js', line: 8 },
    ],
    [
      'a logger that has a name',
      { name: 'Rooms', pid: 7, hostname: 'a', message: 'm', stack: 'Error: m\n    at book (/srv/rooms.js:8:2)' },
      { message: 'm', exception: 'Error', app: 'Rooms' },
    ],
    [
      'what axios was told to do',
      { name: 'AxiosError', message: 'Request failed', config: { url: 'https://rates.example/a', method: 'post' } },
      { message: 'Request failed', url: 'https://rates.example/a', method: 'POST' },
    ],
    [
      'a configuration of anything else',
      { message: 'The queue is stuck', config: { url: 'https://queue.example', retries: 3 } },
      { message: 'The queue is stuck', url: null, method: null },
    ],
    [
      'a level in words beside its number',
      { level: 1, label: 'ERROR', log: { message: 'no broker answers' } },
      { message: 'no broker answers', severity: 'error' },
    ],
    [
      'a label that is no level',
      { level: 3, label: 'rates', message: 'no rate for 7' },
      { message: 'no rate for 7', severity: 'error' },
    ],
    [
      'a condition that is told as a sentence',
      {
        condition: 'NullReferenceException: no till',
        stackTrace: 'Till.Open () (at Assets/Till.cs:44)',
        type: 'Exception',
      },
      { message: 'no till', exception: 'NullReferenceException', file: 'Assets/Till.cs', line: 44 },
    ],
    [
      'a word that is said in a context',
      { level: 'info', message: 'ready', context: 'RoomsService' },
      { message: 'ready', severity: 'info' },
    ],
    [
      'a run by its name',
      { action: 'completed', workflow_run: { name: 'nightly', conclusion: 'failure' } },
      { message: 'nightly' },
    ],
    [
      "Python's name of the process, which is no application's",
      { message: 'no rate for 7', process: { process_name: 'MainProcess' } },
      { message: 'no rate for 7', app: null },
    ],
    [
      'what is told below an event that only has a name',
      { event: 'worker_error', level: 'error', details: { message: 'The line could not be written.' } },
      { message: 'The line could not be written.', severity: 'error' },
    ],
    [
      'an error that is told by its tag',
      { _tag: 'Failure', cause: { reasons: [{ _tag: 'Fail', error: { _tag: 'NoStock', message: 'none left' } }] } },
      { message: 'none left', exception: 'NoStock' },
    ],
    [
      'an alert that is named after a search',
      {
        sid: 's1',
        search_name: 'High load',
        result: { _raw: 'load=42 on host web-1' },
        results_link: 'https://logs.example',
      },
      { exception: 'High load', message: 'load=42 on host web-1', url: 'https://logs.example' },
    ],
    [
      'names in other languages',
      { mensaje: 'No hay precio', archivo: 'src/carro.php', línea: 42, nivel: 'error', servicio: 'tienda' },
      { message: 'No hay precio', file: 'src/carro.php', line: 42, severity: 'error', app: 'tienda' },
    ],
    [
      'names that are written otherwise',
      { ошибка: 'Не удалось сохранить заказ', файл: 'orders.py', строка: 33 },
      { message: 'Не удалось сохранить заказ', file: 'orders.py', line: 33 },
    ],
    [
      'what a logger was called with',
      { args: ['There is no price list'], type: 'error', level: 0 },
      { message: 'There is no price list', severity: 'error' },
    ],
    [
      'a level that is counted in tens, below its context',
      { message: 'paid', context: { logLevel: 30 }, sequence: '1' },
      { message: 'paid', severity: 'info' },
    ],
    [
      'an error before what is noted beside it',
      { error: 'The disk is full', server: 'db1', info: 'see the wiki' },
      { message: 'The disk is full' },
    ],
    [
      'a sentence where others have an object',
      { type: 'error', data: 'The cart is gone' },
      { message: 'The cart is gone' },
    ],
    [
      'what was shown, and not the titles of the suite',
      { title: ['cart', 'pays'], state: 'failed', displayError: 'The button was never found' },
      { message: 'The button was never found' },
    ],
    [
      'frames below a cause, whatever else is named',
      {
        name: 'shop',
        fault: true,
        cause: { exceptions: [{ message: 'none left', type: 'StockError', stack: [{ path: 'stock.js', line: 9 }] }] },
      },
      { message: 'none left', exception: 'StockError', file: 'stock.js', line: 9 },
    ],
    [
      'a kind that is a level',
      { type: 'info', service: 'shop', message: 'All orders are in' },
      { message: 'All orders are in', severity: 'info', app: 'shop' },
    ],
    [
      "a line's own level, and not the kind of its source",
      { message: '2026-11-20 10:30:00,123 ERROR [main] shop.Cart - no price', input: { type: 'log' } },
      { message: 'no price', severity: 'error' },
    ],
    [
      'a severity that is an object of its own',
      { message: 'The disk is full', tags: { severity: { value: 'high', color: 'red' } } },
      { message: 'The disk is full', severity: 'high' },
    ],
    [
      'how bad it is from its state',
      { service: 'disk', service_state: 'CRITICAL', service_output: 'The disk is full' },
      { message: 'The disk is full', severity: 'critical' },
    ],
    [
      'no severity from a state that only says that there is something',
      { service: 'disk', service_state: 'WARNING', service_output: 'The disk is nearly full' },
      { message: 'The disk is nearly full', severity: null },
    ],
    [
      'an incident that has started',
      { event: { type: 'incident.created' }, data: { title: 'Payments fail', status: 'started' } },
      { message: 'Payments fail', severity: null, recovered: false },
    ],
    [
      'what was run by its name, and not what sends the note',
      { kind: 'run', webhook: { name: 'Our webhook' }, job: { name: 'unit tests', status: 'failed' } },
      { message: 'unit tests' },
    ],
    [
      'names that are only spelled otherwise',
      { 'ERROR-MESSAGE': 'none left', 'Error-Class': 'StockError', App_Name: 'shop', Log_Level: 'Fatal' },
      { message: 'none left', exception: 'StockError', app: 'shop', severity: 'fatal' },
    ],
    [
      "numbers of syslog under journald's names",
      { MESSAGE: 'none left', PRIORITY: '3', SYSLOG_IDENTIFIER: 'stock' },
      { message: 'none left', severity: 'error', app: 'stock' },
    ],
    [
      'what was thrown before the sentence about it',
      { message: 'The task broke off', task: { lastProblem: { type: 'StockError', message: 'none left', stack } } },
      { message: 'none left', exception: 'StockError', line: 9 },
    ],
    [
      'an error below names of its own',
      { note: { attempt: { lastProblem: { kind: 'StockError', text: 'none left', stackTrace: stack } } } },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [
      'a stack under any name',
      { what: 'job 7', printed: stack },
      { message: 'none left', exception: 'StockError', file: '/srv/stock.js', line: 9 },
    ],
    [
      'a reason for a failure before a description of what failed',
      { kind: 'transfer_failed', object: { description: 'Order 7', failure_message: 'The bank said no' } },
      { message: 'The bank said no' },
    ],
    [
      'JSON that was sent as text',
      { ref: '7', packed: '{"problem":{"reason":"The printer is jammed"},"component":"printing"}' },
      { message: 'The printer is jammed', app: 'printing' },
    ],
    [
      'facts listed as names and values',
      {
        summary: 'none left',
        facts: [
          { name: 'Severity', value: 'Critical' },
          { name: 'Environment', value: 'live' },
        ],
      },
      { message: 'none left', severity: 'critical', environment: 'live' },
    ],
    [
      'whom it is about, and where a person looks on',
      {
        text: 'The nightly run broke off',
        project: { title: 'x', name: 'orders' },
        stage_info: { environment_name: 'live' },
        run_url: 'https://ci.example/runs/7',
        logo_url: 'https://ci.example/logo.png',
      },
      { app: 'orders', environment: 'live', url: 'https://ci.example/runs/7' },
    ],
    [
      'a file and a line side by side',
      { problem: 'none left', at: { source_file: 'lib/stock.pl', row: 12 } },
      { message: 'none left', file: 'lib/stock.pl', line: 12 },
    ],
    [
      'a title that names the class',
      { headline: 'StockError: none left', type: 'Exception' },
      { message: 'none left', exception: 'StockError' },
    ],
    [
      'a sentence before the title above it',
      { title: 'High load', body: 'Load of web-1 is above 80' },
      { message: 'Load of web-1 is above 80' },
    ],
    [
      'an error as text before what is noted beside it',
      { err: 'StockError: none left', info: 'while rendering' },
      { message: 'none left', exception: 'StockError' },
    ],
    [
      'what a stack says, and not the stack, as the message',
      { kind: 'task', errors: [{ error: stack }] },
      { message: 'none left', exception: 'StockError', line: 9 },
    ],
    [
      'a numbered event that is none of Sentry',
      { event_id: '7', type: 'stock.updated', data: { state: 'FAILED', failure_reason: 'The shelf is empty' } },
      { message: 'The shelf is empty' },
    ],
    [
      'a stack under a name that .NET does not have',
      {
        ExceptionMessage: 'none left',
        ExceptionType: 'Shop.StockException',
        ExceptionDetails: 'Shop.StockException: none left\n   at Shop.Stock.Take() in /src/Stock.cs:line 17',
      },
      { exception: 'Shop.StockException', file: '/src/Stock.cs', line: 17 },
    ],
    [
      'the class of an error beside the class that logged it',
      {
        class: 'shop.Stock',
        message: 'none',
        exception: { exception_class: 'shop.StockError', message: 'none left', stacktrace: stack },
      },
      { exception: 'shop.StockError', message: 'none left' },
    ],
    [
      'the repository of a build, which was begun for no fault',
      { build_reason: 'Started by Ann Lee', reponame: 'shop', status: 'failed', jobName: 'Nightly build' },
      { message: 'Nightly build', app: 'shop' },
    ],
    [
      'a link in whose name others are found',
      { message: 'none left', trackUrl: 'https://errors.example/1', ack_url: 'https://errors.example/ack' },
      { url: 'https://errors.example/1' },
    ],
    [
      'the report of a test',
      { message: 'none left', report_url: 'https://tests.example/1', repo_url: 'https://git.example/shop' },
      { url: 'https://tests.example/1' },
    ],
    [
      'a title of Rails',
      { error: { title: 'Shop::StockError (none left (of 7))', app: { name: 'shop' } } },
      { exception: 'Shop::StockError', message: 'none left (of 7)', app: 'shop' },
    ],
    [
      'a signal of the system',
      { reason: 'EXC_BAD_ACCESS', details: 'A pointer was null', model: 'phone' },
      { exception: 'EXC_BAD_ACCESS', message: 'A pointer was null' },
    ],
    [
      'a finding in a file',
      {
        event_type: 'critical_finding',
        data: { severity: 'critical', rule_id: 'r1', file_path: 'src/db.ts', line: 42 },
      },
      { severity: 'critical', file: 'src/db.ts', line: 42 },
    ],
    ['the last answer', { message: 'none left', check: { last_status: 418 } }, { status: 418 }],
  ])('is read: %s', (_, body, expected) => {
    expect(read(body)).toEqual([expect.objectContaining(expected)])
  })

  it('takes nothing from people, machines and histories', () => {
    const [record] = read({
      problem: 'none left',
      user: { message: 'call me', service: 'none' },
      breadcrumbs: [{ message: 'clicked', level: 'info' }],
      device: { environment: 'a phone' },
    })
    expect(record).toMatchObject({ message: 'none left', app: null, environment: null, severity: null })
  })

  it('takes what was measured for no message', () => {
    expect(read({ value: '83', eventmsg: 'The disk is nearly full' })).toMatchObject([
      { message: 'The disk is nearly full' },
    ])
  })

  it('is read by the names that are known when a delivery holds too much to look everywhere', () => {
    const hidden = { deep: { lastProblem: { text: 'none left', kind: 'StockError' } } }
    const more = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index]))
    const body = Array.from({ length: 1000 }, () => ({ message: 'm', ...hidden, ...more }))
    const records = read(body)
    expect(records).toHaveLength(1000)
    expect([records[0], records[999]]).toMatchObject([{ exception: 'StockError' }, { message: 'm', exception: null }])
    // The next delivery begins anew.
    expect(read(hidden)).toMatchObject([{ exception: 'StockError' }])
  })
})

describe('a state in the words of whoever sends it', () => {
  const over = [
    ['a word at the end of a name', { event: 'widget.recovered', widget: 'a' }],
    ['a state under a longer name', { subject: 'Load', resolutionState: 'Closed' }],
    ['what was done', { ActionType: 'resolve', text: 'Load of web-1' }],
    ['a flag that is a number', { probe_id: '1', name: 'Shop', is_ok: 1 }],
    ['a severity', { name: 'Load', severity: 'Recovery', message: 'below 80 % again' }],
    ['a title behind a rank', { subject: '[SEVERE] RESOLVED: Load', severity: 'SEVERE' }],
    ['a sentence', { title: 'Shop is back up' }],
    ['where it came to', { title: 'Load', type: 'FIRING_TO_OK', severity: 'CRITICAL' }],
    ['a word in front of the rank', { trigger_id: 't', TriggerType: 'ResolvedCritical' }],
    [
      'the state of the only entry of a list',
      { trigger: { name: 'Queue' }, events: [{ state: 'OK', old_state: 'ERROR' }] },
    ],
    ['what reports again', { event: 'check_in_reporting', check_in: { state: 'reporting', name: 'backup' } }],
    ['a rank of the note', { testName: 'Checkout', notificationLevel: 'OK' }],
    ['a word alone', { name: 'Shop', text: 'online' }],
    ['who closed it', { type: 'AlertNote', id: 7, log_entry: 'Closed by Ann' }],
    ['a note beside the state that it had', { event: 'alert_cleared', state: 'CRITICAL', alert: { name: 'Load' } }],
  ] as const

  it.each(over)('is over: %s', (_, body) => {
    expect(read(body).map(({ recovered }) => recovered)).toEqual([true])
  })

  const bad = [
    ['that it ended does not say how', { type: 'deploy_ended', data: { name: 'shop', status: 'failed' } }],
    ['a job that went well found something', { status: 'SUCCESS', qualityGate: { name: 'ours', status: 'ERROR' } }],
    ['a note that it failed, beside other states', { type: 'payment_failed', data: { order: { status: 'PAID' } } }],
    ['it was fine before', { type: 'StatusChange', status: 'down', previous_status: 'up' }],
    ['what is watched is always monitored', { alert_type: 'origin_monitoring', text: 'The origin does not answer' }],
    [
      'something will end soon',
      { event: 'check.certificate_expiration', check: { url: 'https://shop.example', down: false } },
    ],
    ['a state in front of the name', { title: 'Triggered: disk is full', monitor_id: 'm1', value: 91 }],
    ['trouble begins', { event: 'outage.started', name: 'Shop' }],
    ['it was thrown', { status: 'ok', error: { name: 'StockError', message: 'none left', stack } }],
    ['an urgent report of a normal priority', { title: '[FIRING] Load', alert_type: 'error', priority: 'normal' }],
  ] as const

  it.each(bad)('opens a ticket: %s', (_, body) => {
    expect(read(body).map((record) => [record.recovered, levelOf(record)])).toEqual([[false, 'error']])
  })

  it.each([
    [{ event: 'sync_start', connector: 'a' }],
    [{ event: 'build:triggered', name: 'docs' }],
    [{ status: 'IN_PROGRESS', job: { name: 'nightly' } }],
    [{ event_type: 'acknowledge', Title: 'Too many 500s' }],
    [{ monitor: { display_name: 'Shop' }, status: 'maintenance' }],
    [{ component: { name: 'Shop', status: 'under_maintenance' } }],
    [{ event: 'error_activity', error: { message: 'none left', status: 'Ignored' } }],
  ])('is information while it goes on: %j', (body) => {
    expect(read(body).map(levelOf)).toEqual(['info'])
  })
})

describe('a watcher of no known product', () => {
  it.each([
    [
      'a monitor by its name in capitals',
      { MONITORNAME: 'Shop', STATUS: 'DOWN', INCIDENT_REASON: 'Gateway timeout', MONITORURL: 'https://shop.example' },
      { exception: 'Shop', message: 'Gateway timeout', url: 'https://shop.example' },
    ],
    [
      'what is watched, far below',
      { data: { service: { name: 'Concerts' }, alert: { state: 'CRITICAL', short_output: 'Packet loss = 100%' } } },
      { exception: 'Concerts', message: 'Packet loss = 100%' },
    ],
    [
      'a description rather than a headline that says nothing',
      { alertName: 'Port down', subject: 'You have a new alert!', alertDescription: 'The port 7 went down' },
      { exception: 'Port down', message: 'The port 7 went down' },
    ],
    [
      'a rule with a severity',
      { rule: 'Shell in a container', priority: 'Critical', output: 'A shell was started by root' },
      { exception: 'Shell in a container', message: 'A shell was started by root', severity: 'critical' },
    ],
    [
      'a test with a severity',
      { TestName: 'Checkout', TestLevel: 'Critical', Details: 'No answer after 10 s' },
      { exception: 'Checkout', message: 'No answer after 10 s', severity: 'critical' },
    ],
    [
      'an address that is called otherwise',
      { probe_id: 7, name: 'Shop', target: 'https://shop.example', is_ok: 0 },
      { exception: 'Shop', url: 'https://shop.example' },
    ],
  ])('is read: %s', (_, body, expected) => {
    expect(readFormattedReports(encode(body))).toEqual([
      { format: 'alert', isDocumented: false, record: expect.objectContaining({ ...expected, recovered: false }) },
    ])
  })

  it.each([
    [
      'a sentence after the state alone',
      { event: 'failed', delivery_status_message: 'Mailbox not found' },
      { message: 'Mailbox not found' },
    ],
    [
      'a severity that is known after one that is not',
      { event: 'failed', severity: 'permanent', log_level: 'error', delivery_message: 'Mailbox not found' },
      { message: 'Mailbox not found', severity: 'error' },
    ],
    ['a reason in one word', { task: { failureReason: 'UNABLE_TO_LOCATE' } }, { message: 'UNABLE_TO_LOCATE' }],
    ['who built it, when nothing else is said', { event: 'finished', builderName: 'nightly' }, { message: 'nightly' }],
  ])('has a message: %s', (_, body, expected) => {
    expect(read(body)).toMatchObject([expected])
  })

  it('has failed when its program ended with another code than 0', () => {
    const ended = (exitCode: number) => read({ script: 'sync.js', exitMessage: 'finished', exitCode })
    expect([0, 1].flatMap(ended).map(({ recovered }) => recovered)).toEqual([true, false])
  })

  it('is named by the condition that came true, where it is a sentence', () => {
    const alert = (trigger: string) => read({ host: 'db-1', item: 'ping', trigger, status: 'PROBLEM' })
    expect(alert('Agent on db-1 is unreachable')).toMatchObject([{ exception: 'Agent on db-1 is unreachable' }])
    expect(alert('STATE_CHANGE')).not.toMatchObject([{ exception: 'STATE_CHANGE' }])
  })

  it('has one key while it is down and when it is up again', () => {
    const body = (status: string) => ({ MONITORNAME: 'Shop', MONITORURL: 'https://shop.example', STATUS: status })
    const keys = ['DOWN', 'UP'].flatMap((status) => read(body(status)).map(fingerprint))
    expect(new Set(keys).size).toBe(1)
  })
})
