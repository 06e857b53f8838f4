import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'
import { opensTicket } from './level.ts'
import { readFormattedReports } from './read-error-reports.ts'

// Two things with equal words have two tickets, and the updates of one thing are counted on its ticket, whatever the sender calls the
// object, its id, and its name.

type Body = Readonly<Record<string, unknown>>

const read = (body: Body) =>
  readFormattedReports({
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: new Headers(),
    minLevel: null,
  }).reports

const keyOf = (body: Body) => read(body).map(({ record }) => fingerprint(record))
const opens = (body: Body) => read(body).some((report) => opensTicket(report, null))

const expectTwoTickets = (one: Body, other: Body) => {
  expect([opens(one), opens(other)], JSON.stringify(one)).toEqual([true, true])
  expect(keyOf(one), `${JSON.stringify(one)}\n${JSON.stringify(other)}`).not.toEqual(keyOf(other))
}
const expectOneTicket = (one: Body, update: Body) => {
  expect(opens(one), JSON.stringify(one)).toBe(true)
  expect(keyOf(update), `${JSON.stringify(one)}\n${JSON.stringify(update)}`).toEqual(keyOf(one))
}

const kinds =
  'monitor check probe sensor heartbeat incident issue problem outage alert alarm rule trigger condition policy detector'.split(
    ' ',
  )
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const spellings: readonly ((...words: readonly string[]) => string)[] = [
  (...words) => words.join('_'),
  (...words) => words.join('-'),
  (...words) => words.join('_').toUpperCase(),
  (...words) => words.map(capital).join(''),
  (first = '', ...words) => first + words.map(capital).join(''),
]

interface Thing {
  readonly id?: string | number | undefined
  readonly name?: string | undefined
}
interface Sender {
  readonly kind: string
  readonly spell: (typeof spellings)[number]
  readonly shape: (typeof shapes)[number]
  readonly idWord: string
  readonly nameWord: string
  readonly textWord: string
  readonly state: Body
  readonly constant: Body
}

const present = (body: Body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

/** The places in which senders put an object. */
const shapes = ['flat', 'object', 'wrapped', 'event', 'resource', 'inside'] as const
const bodyOf = ({ kind, spell, shape, ...sender }: Sender, { id, name }: Thing, said: Body): Body => {
  const object = present({ [spell(sender.idWord)]: id, [spell(...sender.nameWord.split(' '))]: name })
  const flat = present({ [spell(kind, sender.idWord)]: id, [spell(kind, ...sender.nameWord.split(' '))]: name })
  const rest = { ...sender.constant, ...sender.state, ...said }
  if (shape === 'flat') return { ...flat, ...rest }
  if (shape === 'object') return { [spell(kind)]: object, ...rest }
  if (shape === 'wrapped') return { data: { [spell(kind)]: object }, ...rest }
  if (shape === 'event') return { event: `${kind}.opened`, data: object, ...rest }
  if (shape === 'resource') return { type: kind, ...object, ...rest }
  return { payload: { [spell(kind)]: { ...object, ...rest } } }
}

const sender = fc.record({
  kind: fc.constantFrom(...kinds),
  spell: fc.constantFrom(...spellings),
  shape: fc.constantFrom(...shapes),
  idWord: fc.constantFrom('id', 'uid', 'uuid', 'number', 'reference'),
  nameWord: fc.constantFrom('name', 'title', 'display name', 'label'),
  textWord: fc.constantFrom('message', 'description', 'summary', 'text', 'reason'),
  state: fc.constantFrom<Body[]>(
    ...[{ status: 'firing' }, { status: 'down' }, { state: 'triggered' }, { status: 'critical' }, { state: 'ALARM' }],
    ...[{ status: 'open' }, { current_state: 'DOWN' }],
  ),
  constant: fc.constantFrom<Body[]>(
    ...[
      {},
      { level: 'critical' },
      { level: 'error', pid: 7 },
      { severity: 'high' },
      { priority: 'P1', source: 'watch' },
    ],
    ...[{ pid: 5, environment: 'production' }, { host: 'web-1' }, { team: { id: 4, name: 'Web' }, tags: ['shop'] }],
    ...[{ project: 'shop', region: 'eu' }, { links: { html: 'https://watch.example/1' } }],
  ),
})
const texts = fc.constantFrom(
  ...['Threshold exceeded', 'Service unavailable', 'The site is not responding', 'Timeout after 30 s', 'Disk is full'],
  ...['Error rate is 5.2 %', 'Checkout fails', 'No data', 'HTTP 503', 'CPU above 90 for 5 minutes'],
)
const ids = fc.oneof(fc.integer({ min: 1, max: 99_999 }), fc.uuid(), fc.stringMatching(/^[A-Z]{1,3}-[0-9]{1,4}$/))
const names = fc.oneof(
  fc.constantFrom('Nightly backup', 'Depot', 'api.shop.example', 'Checkout of carts', 'CPU'),
  fc.stringMatching(/^(?:web|db-|eu-west-|Backup |Server |Shop #)[1-9]$/),
)
const two = <Value>(value: fc.Arbitrary<Value>) => fc.tuple(value, value).filter(([one, other]) => one !== other)
const seen = fc.record({
  timestamp: fc.integer({ min: 1_700_000_000, max: 1_800_000_000 }),
  event_id: fc.uuid(),
  value: fc.float({ min: 0, max: 100, noNaN: true }),
})

const runs = 800

it('another id of an object is another ticket', () => {
  fc.assert(
    fc.property(sender, two(ids), fc.option(names, { nil: undefined }), texts, (from, [one, other], name, text) => {
      const said = { [from.textWord]: text }
      expectTwoTickets(bodyOf(from, { id: one, name }, said), bodyOf(from, { id: other, name }, said))
    }),
    { numRuns: runs },
  )
})

it('another name of an object without an id is another ticket, also if the names differ in a digit only', () => {
  fc.assert(
    fc.property(sender, two(names), texts, (from, [one, other], text) => {
      const said = { [from.textWord]: text }
      expectTwoTickets(bodyOf(from, { name: one }, said), bodyOf(from, { name: other }, said))
    }),
    { numRuns: runs },
  )
})

it('an update of an object is counted on its ticket, whatever it says', () => {
  fc.assert(
    fc.property(
      sender,
      fc.tuple(fc.option(ids, { nil: undefined }), names),
      two(texts),
      two(seen),
      (from, thing, said, at) => {
        const [id, name] = thing
        const [first, update] = [0, 1].map((index) =>
          bodyOf(from, { id, name }, { [from.textWord]: said[index as 0 | 1], ...at[index as 0 | 1] }),
        )
        expectOneTicket(first ?? {}, update ?? {})
      },
    ),
    { numRuns: runs },
  )
})

it('the end of an alert is counted on its ticket', () => {
  fc.assert(
    fc.property(sender, fc.option(ids, { nil: undefined }), names, texts, (from, id, name, text) => {
      const [key = ''] = Object.keys(from.state)
      const end = { ...from, state: { [key]: 'resolved' } }
      const [begun, ended] = [bodyOf(from, { id, name }, { [from.textWord]: text }), bodyOf(end, { id, name }, {})]
      expectOneTicket(begun, ended)
      expect(
        read(ended).map(({ record }) => record.recovered),
        JSON.stringify(ended),
      ).toEqual([true])
    }),
    { numRuns: runs },
  )
})

it('another place of an alert is another ticket', () => {
  const places = 'host server device domain node_name hostname instance site component machine database queue'.split(
    ' ',
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.constantFrom(...spellings),
      two(names),
      texts,
      (place, spell, where, text) => {
        const body = (at: string) => ({ [spell(...place.split('_'))]: at, status: 'down', message: text })
        expectTwoTickets(body(where[0]), body(where[1]))
        expectOneTicket(body(where[0]), body(where[0]))
      },
    ),
    { numRuns: runs },
  )
})

it('another repository or project is another ticket', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('repository', 'repo', 'project'),
      fc.constantFrom(...spellings),
      two(fc.stringMatching(/^[a-z]{2,6}\/(?:shop|depot|web[1-9])$/)),
      fc.constantFrom<Body[]>(
        { workflow: 'CI', status: 'failure' },
        { message: 'Cannot pay', level: 'error' },
        { state: 'failed', title: 'Build' },
      ),
      fc.boolean(),
      (word, spell, [one, other], rest, isRecord) => {
        const body = (name: string) => ({
          [spell(word)]: isRecord ? { id: 5, name: name.split('/')[1], full_name: name } : name,
          ...rest,
        })
        expectTwoTickets(body(one), body(other))
      },
    ),
    { numRuns: runs },
  )
})

/** One body of each sender with its own format, by the id of the object that its alert is about. */
const senders: Readonly<Record<string, (id: string, said: string) => Body>> = {
  'Airbrake webhook': (id, said) => ({
    error: { id, error_message: 'Boom', error_class: 'Oops', times_occurred: said.length },
  }),
  AppSignal: (id, said) => ({
    exception: { exception: 'Oops', site: 'shop', message: 'Boom', number: id, user: said },
  }),
  Alertmanager: (id, said) => ({
    alerts: [{ status: 'firing', labels: { alertname: id }, annotations: { summary: said }, startsAt: 'now' }],
  }),
  'Azure Monitor': (id, said) => ({ data: { essentials: { alertRule: id, severity: 'Sev1', description: said } } }),
  'Better Stack': (id, said) => ({
    data: { type: 'incident', attributes: { name: 'Shop', cause: said }, relationships: { monitor: { data: { id } } } },
  }),
  Bitrise: (id, said) => ({ build_slug: said, app_slug: id, build_status: 2, build_triggered_workflow: 'primary' }),
  'Bugsnag webhook': (id, said) => ({
    error: { errorId: id, exceptionClass: 'Oops', message: said },
    project: { name: 'p' },
  }),
  Checkly: (id, said) => ({ check_name: 'Shop', check_id: id, alert_type: 'ALERT_FAILURE', description: said }),
  CloudWatch: (id, said) => ({ AlarmName: id, NewStateValue: 'ALARM', NewStateReason: said }),
  Crashlytics: (id, said) => ({ payload_type: 'issue', payload: { display_id: id, title: 'Cart', method: said } }),
  Datadog: (id, said) => ({ alert_transition: 'Triggered', alert_id: id, title: 'CPU', body: said }),
  Dynatrace: (id, said) => ({ ProblemID: id, PID: id, ProblemTitle: 'Slow', State: 'OPEN', ProblemDetails: said }),
  EventBridge: (id, said) => ({ 'detail-type': 'Finding', detail: { id, status: 'FAILED', description: said } }),
  'GitHub alert': (id, said) => ({
    action: 'created',
    alert: { number: id, state: 'open', rule: { id: 'xss', description: 'Scripting' } },
    repository: { full_name: 'acme/shop' },
    commit_oid: said,
  }),
  'Google Cloud': (id, said) => ({ incident: { incident_id: id, policy_name: 'CPU', summary: said, state: 'open' } }),
  Honeybadger: (id, said) => ({
    event: 'occurred',
    fault: { id, klass: 'Oops', message: 'Boom' },
    notice: { id: said },
  }),
  Kibana: (id, said) => ({
    rule: { id, name: 'Orders' },
    alert: { id: 'a', actionGroup: 'met' },
    context: { message: said },
  }),
  Kubernetes: (id, said) => ({
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting',
    involvedObject: { kind: 'Pod', name: `shop-${id}` },
    count: said.length,
  }),
  'New Relic': (id, said) => ({ id, issueUrl: 'https://newrelic.example', title: said, impactedEntities: ['shop'] }),
  Opsgenie: (id, said) => ({ action: 'Create', alert: { alertId: id, message: said } }),
  OpenStatus: (id, said) => ({ monitor: { id, name: 'Shop' }, status: 'error', errorMessage: said }),
  PagerDuty: (id, said) => ({ event: { event_type: 'incident.triggered', data: { id, title: said } } }),
  'PagerDuty, version 2': (id, said) => ({ messages: [{ event: 'incident.trigger', incident: { id, title: said } }] }),
  Pingdom: (id, said) => ({ check_id: id, check_name: 'Shop', current_state: 'DOWN', long_description: said }),
  'Raygun webhook': (id, said) => ({
    eventType: 'NewErrorOccurred',
    error: { url: `https://raygun.example/${id}`, message: 'Boom', lastOccurredOn: said },
    application: { name: 'p' },
  }),
  'Rollbar webhook': (id, said) => ({ event_name: 'new_item', data: { item: { id, title: 'Boom', framework: said } } }),
  Sensu: (id, said) => ({
    check: { metadata: { name: 'disk' }, output: said, status: 2 },
    entity: { metadata: { name: id } },
  }),
  'Sentry webhook': (id, said) => ({
    action: 'created',
    data: { issue: { id, culprit: 'cart', title: 'Boom', count: said } },
  }),
  Statuspage: (id, said) => ({
    page: { id: 'p' },
    incident: { id, name: 'Slow', status: 'investigating', incident_updates: [{ body: said }] },
  }),
  'Uptime Kuma': (id, said) => ({ heartbeat: { status: 0, msg: said }, monitor: { id, name: 'Shop' } }),
  UptimeRobot: (id, said) => ({ monitorID: id, monitorFriendlyName: 'Shop', alertType: '1', alertDetails: said }),
  'a chat': (id, said) => ({ attachments: [{ title: `Monitor ${id}`, text: said }] }),
}

it.each(Object.keys(senders))('another object of %s is another ticket, and its updates are not', (name) => {
  const numbers = fc.integer({ min: 1, max: 999 }).map(String)
  fc.assert(
    fc.property(two(numbers), two(texts), ([one, other], [first, update]) => {
      const body = senders[name] ?? (() => ({}))
      expectTwoTickets(body(one, first), body(other, first))
      expectOneTicket(body(one, first), body(one, update))
    }),
    { numRuns: 50 },
  )
})

it('equal ids of different senders are different tickets', () => {
  const names = Object.entries(senders).map(([name, body]) => [
    keyOf(body('4711', 'The site is not responding')).join(),
    name,
  ])
  const sharing = Map.groupBy(names, ([key]) => key)
  const shared = [...sharing.values()].filter((group) => group.length > 1).map((group) => group.map(([, name]) => name))
  // Both versions of PagerDuty name one incident.
  expect(shared).toEqual([['PagerDuty', 'PagerDuty, version 2']])
})
