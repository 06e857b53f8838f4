import { events, eventWildcards, signatureHeader } from '@service/contract'
import type { EventPattern, SubscriptionPatch } from '@service/contract/admin/webhook-input'
import type { Subscription, SubscriptionWithSecret } from '@service/contract/admin/webhooks'
import { Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Languages, Secret } from '../../ui/components/code.tsx'
import { Choices, type Option, SelectField, TextArea, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { type FormState, idempotency, newForm, numberOrNull, readNumber, submit, textOrNull } from '../../ui/forms.ts'
import { type Fields, type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { ifUnchanged, readVersioned, type Versioned } from '../../ui/versions.ts'
import { encodingWords, endpointName } from './endpoint-state.ts'
import { isReceiverUrl } from './receiver.ts'

export const newEndpoint = (page: WorkspacePage): PageResult =>
  endpointForm(page, newForm({ events: ['ticket.*'], encoding: 'hex' }))

export async function createEndpoint(page: WorkspacePage): Promise<PageResult> {
  const call = page.admin.webhooks.create(
    { workspace: page.workspace.id },
    { ...readSettings(page.form), headers: readHeaders(page.form) },
    idempotency(page.form),
  )
  const result = await submit(page, call, problemsOf(page.form))
  return result.ok ? shownOnce(page, result.data) : endpointForm(page, result.form)
}

export async function editEndpoint(page: WorkspacePage): Promise<PageResult> {
  const edited = await readVersioned(page.admin.webhooks.get(recordRef(page)))
  return endpointForm(page, newForm(queryValues(edited.data)), edited)
}

export async function updateEndpoint(page: WorkspacePage): Promise<PageResult> {
  const endpoint = recordRef(page)
  const result = await sendChange(page)
  if (result.ok) return redirect(page.link(`/webhooks/${endpoint.id}?changed`), `${endpointName(result.data)} is saved`)
  return endpointForm(page, result.form, await readVersioned(page.admin.webhooks.get(endpoint)))
}

async function sendChange(page: WorkspacePage) {
  const { form } = page
  const headers = readHeaders(form)
  const keepsHeaders = Object.keys(headers).length === 0 && !form.has('remove_headers')
  const patch: SubscriptionPatch = { ...readSettings(form), ...(keepsHeaders ? {} : { headers }) }
  return submit(page, page.admin.webhooks.update(recordRef(page), patch, ifUnchanged(form)), problemsOf(form))
}

const queryValues = ({ url, description, events, encoding, rate_per_minute, schedule, ...flags }: Subscription) => ({
  url,
  description,
  events,
  encoding,
  rate_per_minute,
  schedule: schedule?.join(', '),
  flags: [flags.fifo && 'fifo', flags.standard_webhooks && 'standard_webhooks'].filter((name) => name !== false),
})

function readSettings(form: Fields) {
  const flags = form.list('flags')
  return {
    url: form.text('url'),
    description: textOrNull(form, 'description'),
    events: form.list('events') as EventPattern[], // the server rejects unknown events
    encoding: encodings.find((encoding) => encoding === form.text('encoding')),
    rate_per_minute: numberOrNull(form, 'rate_per_minute'),
    schedule: parseSchedule(form.text('schedule')),
    fifo: flags.includes('fifo'),
    standard_webhooks: flags.includes('standard_webhooks'),
  }
}

const encodings = Object.keys(encodingWords) as (keyof typeof encodingWords)[] // Object.keys forgets the literal keys

const parseSchedule = (text: string) => (text === '' ? null : text.split(',').map(readNumber))

const isSchedule = (text: string) => text.split(',').every((part) => /^\d*$/.test(part.trim()))

const headerLines = (form: Fields) =>
  form
    .text('headers')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const isHeader = (line: string) => line.indexOf(':') > 0

/** One header on each line, `Name: value`. The server rejects the name that any other line becomes. */
const readHeaders = (form: Fields): Record<string, string> =>
  Object.fromEntries(
    headerLines(form).map((line) =>
      isHeader(line) ? [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] : [`${line}:`, ''],
    ),
  )

/** What the server refuses too, one after another. */
const problemsOf = (form: Fields) => ({
  ...(!isReceiverUrl(form.text('url')) && {
    url: ['The address must be an http or https address without a user name.'],
  }),
  ...(form.list('events').length === 0 && { events: ['Choose at least one event.'] }),
  ...(!headerLines(form).every(isHeader) && {
    headers: ['Each line of the headers must be a name, a colon, and a value.'],
  }),
  ...(!isSchedule(form.text('schedule')) && {
    schedule: ['The waiting times must be whole numbers of seconds, separated by commas.'],
  }),
})

const eventOptions: readonly Option[] = [
  { value: '*', label: 'Everything', hint: 'Including future event types' },
  ...eventWildcards.map((value) => ({ value, label: value, hint: `All events of a ${value.replace('.*', '')}` })),
  ...Object.entries(events).map(([value, firedWhen]) => ({ value, label: value, hint: `When ${firedWhen}` })),
]

const encodingOptions: readonly Option[] = Object.entries(encodingWords).map(([value, label]) => ({ value, label }))

const flagOptions: readonly Option[] = [
  {
    value: 'fifo',
    label: 'Deliver in order',
    hint: 'One at a time, in event order. A failing delivery blocks those behind it.',
  },
  {
    value: 'standard_webhooks',
    label: 'Standard Webhooks headers',
    hint: 'Also send webhook-id, webhook-timestamp, and webhook-signature.',
  },
]

function endpointForm(page: WorkspacePage, state: FormState, edited?: Versioned<Subscription>): PageResult {
  const { data: endpoint, version } = edited ?? {}
  const path = endpoint === undefined ? '/webhooks' : `/webhooks/${endpoint.id}`
  const title = endpoint === undefined ? 'New endpoint' : 'Edit'
  return formPage({
    title,
    heading: endpoint === undefined ? title : `Edit ${endpointName(endpoint)}`,
    intro: 'Sends each event to this address with a signature, and retries for three days until it responds with 2xx.',
    crumbs: [
      { label: 'Webhooks', href: page.link('/webhooks') },
      ...(endpoint === undefined ? [] : [{ label: endpointName(endpoint), href: page.link(path) }]),
    ],
    action: page.link(path),
    cancel: page.link(path),
    state,
    version,
    fields: (
      <>
        <TextField name="description" label="Name" optional state={state} autofocus={endpoint === undefined} />
        <TextField
          name="url"
          label="Address"
          type="url"
          placeholder="https://"
          hint="Private and loopback addresses are refused unless the operator allows them."
          state={state}
        />
        <Choices name="events" label="Events" options={eventOptions} state={state} />
        <More state={state} endpoint={endpoint} />
      </>
    ),
    submitLabel: endpoint === undefined ? 'Create endpoint' : 'Save',
  })
}

/** Less common settings. */
function More({ state, endpoint }: { readonly state: FormState; readonly endpoint: Subscription | undefined }) {
  const names = endpoint?.header_names ?? []
  return (
    <>
      <Choices name="flags" label="Sending" optional options={flagOptions} state={state} />
      <TextField
        name="rate_per_minute"
        label="Requests per minute"
        type="number"
        narrow
        optional
        hint="Leave empty for no limit."
        state={state}
      />
      <TextField
        name="schedule"
        label="Waiting times"
        optional
        placeholder="5, 300, 1800"
        hint="Delays in seconds after the first failed attempt, the second, and so on. Default: ten attempts in 76 hours."
        state={state}
      />
      <SelectField name="encoding" label="Signature" options={encodingOptions} state={state} />
      <TextArea
        name="headers"
        label="Headers"
        optional
        rows={3}
        mono
        hint={
          names.length === 0
            ? 'One per line, such as “X-Team: support”. Values are stored encrypted and not shown again.'
            : `Current headers: ${names.join(', ')}. Text here replaces all of them; leave empty to keep them.`
        }
        state={state}
      />
      {names.length > 0 && (
        <Choices
          name="remove_headers"
          label="Current headers"
          options={[{ value: 'yes', label: 'Remove all of them' }]}
          state={state}
        />
      )}
    </>
  )
}

function shownOnce(page: WorkspacePage, endpoint: SubscriptionWithSecret): PageResult {
  return show({
    title: endpointName(endpoint),
    status: 201,
    crumbs: [{ label: 'Webhooks', href: page.link('/webhooks') }],
    body: (
      <>
        <PageHead title={`${endpointName(endpoint)} is ready`}>
          Verify the signature of each request with this secret.
        </PageHead>
        <div class="stack form">
          <Secret id="secret" value={endpoint.secret} label="Signing secret" />
          <Languages id="receiver" samples={receiverSamples} />
          <Facts
            facts={[
              ['Address', <code>{endpoint.url}</code>],
              ['Events', endpoint.events.map((pattern) => <Tag>{pattern}</Tag>)],
            ]}
          />
          <div>
            <LinkButton href={page.link(`/webhooks/${endpoint.id}`)}>Open the endpoint</LinkButton>
          </div>
        </div>
      </>
    ),
  })
}

/** Receivers that verify the signature. They read the secret from a variable, so that it is not in source code. */
const receiverSamples = [
  {
    language: 'TypeScript',
    code: [
      `import express from 'express'`,
      `import { createWebhookHandler } from '@service/webhooks/express'`,
      '',
      `const app = express()`,
      `app.post('/webhooks', createWebhookHandler({`,
      `  secret: process.env.WEBHOOK_SECRET,`,
      `  on: { 'ticket.created': ({ payload }) => console.log(payload.ticket.title) },`,
      `}))`,
      `app.listen(3001)`,
    ].join('\n'),
  },
  {
    language: 'Python',
    code: [
      `import hashlib, hmac, os`,
      '',
      `def is_genuine(body: bytes, headers) -> bool:`,
      `    secret = os.environ['WEBHOOK_SECRET'].encode()`,
      `    expected = hmac.new(secret, body, hashlib.sha256).hexdigest()`,
      `    return hmac.compare_digest(expected, headers['${signatureHeader}'])`,
    ].join('\n'),
  },
  {
    language: 'PHP',
    code: [
      `$expected = hash_hmac('sha256', file_get_contents('php://input'), getenv('WEBHOOK_SECRET'));`,
      `$given = $_SERVER['HTTP_${signatureHeader.toUpperCase().replaceAll('-', '_')}'] ?? '';`,
      `if (!hash_equals($expected, $given)) { http_response_code(401); exit; }`,
    ].join('\n'),
  },
] as const
