import { isServiceError } from '@service/client'
import type { InboundDelivery, ReplayedDelivery } from '@service/contract/admin/inbound-deliveries'
import type { Mapping } from '@service/contract/admin/mapping'
import { Button, LinkButton } from '../../ui/components/button.tsx'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize, words } from '../../ui/format.ts'
import { conflict } from '../../ui/forms.ts'
import {
  type Fields,
  type PageResult,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { ifUnchanged, readVersioned } from '../../ui/versions.ts'
import { useView } from '../../ui/view-context.ts'
import { type BodyLine, MappedBody, pathsOf, toBodyLines } from './mapped-body.tsx'
import { explainBody, fieldsOf, listBodies, type MappingSource, type Outcome, unreadable } from './mapping-preview.ts'
import { sourceName } from './source-name.ts'

const role = 'admin'

export const mappingPages: WorkspacePages = [
  { method: 'GET', path: '/integrations/{integration}/mapping', role, handle: (page) => mappingPage(page) },
  { method: 'POST', path: '/integrations/{integration}/mapping', role, handle: save },
  { method: 'GET', path: '/lead-sources/{source}/mapping', role, handle: (page) => mappingPage(page) },
  { method: 'POST', path: '/lead-sources/{source}/mapping', role, handle: save },
]

/** The mapping source of a page; undefined for Git, which has no mapping. */
function sourceOf({ params }: WorkspacePage): MappingSource | undefined {
  const { integration, source } = params
  if (source !== undefined) return { kind: 'leads', source }
  return integration === 'errors' || integration === 'attendance' ? { kind: integration } : undefined
}

const integrationNames = { errors: 'Error monitor', attendance: 'Attendance' } as const

/** The name and path of the integration or lead source, and of the list above it. */
function getParent(page: WorkspacePage, { kind, source = '' }: MappingSource) {
  const [list, path] = kind === 'leads' ? ['Lead sources', '/lead-sources'] : ['Integrations', '/integrations']
  const name = kind === 'leads' ? sourceName(source) : integrationNames[kind]
  return { list: { label: list, href: page.link(path) }, name, href: page.link(`${path}/${source || kind}`) }
}

interface SavedMapping {
  readonly mapping: Mapping | null
  /** The version of the integration or lead source. */
  readonly version: string | undefined
}

async function loadSaved({ admin, workspace }: WorkspacePage, source: MappingSource): Promise<SavedMapping> {
  const at = { workspace: workspace.id }
  const { data, version } = await readVersioned<Pick<SavedMapping, 'mapping'>>(
    source.kind === 'leads'
      ? admin.leadSources.get({ ...at, source: source.source ?? '' })
      : admin.integrations.get({ ...at, integration: source.kind }),
  )
  return { mapping: data.mapping, version }
}

const fieldName = (field: string) => `fields.${field}`

/** The mapping in a form; null if it is empty. */
function readMapping(form: Fields, source: MappingSource): Mapping | null {
  const entries = fieldsOf(source).map((field) => [field, form.text(fieldName(field))] as const)
  const fields = Object.fromEntries(entries.filter(([, expression]) => expression !== ''))
  const mapping = {
    fields,
    ignore_when: form.text('ignore_when') || null,
    opens_when: form.text('opens_when') || null,
  }
  const isEmpty = Object.keys(fields).length === 0 && mapping.ignore_when === null && mapping.opens_when === null
  return isEmpty ? null : mapping
}

/** Errors by form field, such as `fields.message`; those of the whole mapping are under an empty name. */
type Problems = Readonly<Record<string, string>>

function toProblems(page: WorkspacePage, error: unknown): Problems {
  const { errors = {} } = page.findRefusal(error) ?? {}
  return Object.fromEntries(
    Object.entries(errors).map(([path, [sentence = '']]) => [path.replace(/^mapping\.?/, ''), sentence]),
  )
}

/** The draft without its invalid expressions. */
function withoutProblems(mapping: Mapping | null, problems: Problems): Mapping | null {
  if (mapping === null || problems[''] !== undefined) return null
  const { fields = {}, ignore_when, opens_when } = mapping
  return {
    fields: Object.fromEntries(Object.entries(fields).filter(([field]) => problems[fieldName(field)] === undefined)),
    ignore_when: problems['ignore_when'] === undefined ? ignore_when : null,
    opens_when: problems['opens_when'] === undefined ? opens_when : null,
  }
}

async function save(page: WorkspacePage): Promise<PageResult> {
  const source = sourceOf(page)
  if (source === undefined) return mappingPage(page)
  const { kind, source: leadSource = '' } = source
  const { admin, workspace, form } = page
  const mapping = readMapping(form, source)
  const saved = await (kind === 'leads'
    ? admin.leadSources.update({ workspace: workspace.id, source: leadSource }, { mapping }, ifUnchanged(form)).safe()
    : admin.integrations.update({ workspace: workspace.id, integration: kind }, { mapping }, ifUnchanged(form)).safe())
  if (!saved.ok) {
    const { error } = saved
    if (error.status === 412) return mappingPage(page, { status: 412, conflict })
    if (error.code !== 'validation') throw error
    return mappingPage(page, { status: 422, problems: toProblems(page, error) })
  }
  const id = Number(form.text('delivery'))
  const path = `${getParent(page, source).href}/mapping?delivery=${id}`
  return redirect(path, form.has('replay') ? await replay(page, id) : 'The mapping is saved')
}

/** Replays the selected body with the saved mapping, and reports the result as a notice. */
async function replay(page: WorkspacePage, id: number): Promise<string> {
  const replayed = await page.admin.inboundDeliveries.replay({ workspace: page.workspace.id, id }).safe()
  if (replayed.ok)
    return `The mapping is saved. Replayed: ${replayed.data.summary}${await correctedText(page, replayed.data)}`
  return `The mapping is saved. Not replayed: ${page.findRefusal(replayed.error)?.message ?? replayed.error.message}`
}

/** `; corrected title of TKT-00042; app of the error` */
async function correctedText(page: WorkspacePage, { changed }: ReplayedDelivery): Promise<string> {
  if (changed.length === 0) return ''
  const objects = Map.groupBy(changed, ({ resource, id }) => `${resource} ${id}`)
  const parts = [...objects.values()].map(async (fields) => {
    const names = new Set(fields.map(({ field }) => words(field).toLowerCase()))
    return `${[...names].join(', ')} of ${await nameOfChanged(page, fields[0])}`
  })
  return `; corrected ${(await Promise.all(parts)).join('; ')}`
}

const changedNames = { error_report: 'the error', lead: 'the lead', lead_enquiry: 'the inquiry' } as const

async function nameOfChanged(page: WorkspacePage, changed: ReplayedDelivery['changed'][number] | undefined) {
  if (changed === undefined) return ''
  const { resource, id } = changed
  return resource === 'ticket' ? getTicketNumber(page, id) : changedNames[resource]
}

const getTicketNumber = async ({ admin, workspace }: WorkspacePage, id: number) =>
  (await admin.tickets.get({ workspace: workspace.id, id })).ticket_number

interface Preview extends SavedMapping {
  readonly source: MappingSource
  readonly stored: Mapping | null
  readonly problems: Problems
  readonly bodies: readonly { readonly delivery: InboundDelivery; readonly outcome: Outcome }[]
  /** The index of the selected body. */
  readonly selected: number
  readonly text: string
  /** Undefined if the text is not JSON. */
  readonly lines: readonly BodyLine[] | undefined
  /** The ticket that counts the report, by its number. */
  readonly countedOn: string | undefined
  /** The ticket that the report has opened, and its address. */
  readonly opened: { readonly number: string; readonly href: string } | undefined
}

/** Explains all recent bodies with the draft in the form, or else with the saved mapping. Stores nothing. */
async function loadPreview(page: WorkspacePage, source: MappingSource, refused?: Refused): Promise<Preview> {
  const form = page.form.has('draft') ? page.form : page.query
  const saved = await loadSaved(page, source)
  const mapping = form.has('draft') ? readMapping(form, source) : saved.mapping
  // Only after a 412 has the reader seen what others have changed.
  const version = refused?.status === 412 ? saved.version : form.text('version') || saved.version
  const deliveries = await listBodies(page, source)
  const selected = Math.max(
    0,
    deliveries.findIndex(({ id }) => String(id) === form.text('delivery')),
  )
  const id = deliveries[selected]?.id
  const found = id === undefined ? {} : await checkDraft(page, source, { id, mapping })
  const problems = { ...refused?.problems, ...found }
  const valid = withoutProblems(mapping, problems)
  const outcomes = await Promise.all(
    deliveries.map((delivery) => loadOutcome(page, source, { id: delivery.id, mapping: valid })),
  )
  const body = id === undefined ? null : await page.admin.inboundDeliveries.get({ workspace: page.workspace.id, id })
  const bodies = deliveries.flatMap((delivery, index) => {
    const outcome = outcomes[index]
    return outcome === undefined ? [] : [{ delivery, outcome }]
  })
  const text = body?.body ?? ''
  const ticketId = bodies[selected]?.outcome.ticketId ?? null
  const countedOn = ticketId === null ? undefined : await getTicketNumber(page, ticketId)
  const ticket = body?.opened_ticket ?? null
  const opened =
    ticket === null ? undefined : { number: ticket.ticket_number, href: page.link(`/tickets/${ticket.id}`) }
  return {
    source,
    stored: saved.mapping,
    mapping,
    version,
    problems,
    bodies,
    selected,
    text,
    lines: toBodyLines(text),
    countedOn,
    opened,
  }
}

interface Draft {
  readonly id: number
  readonly mapping: Mapping | null
}

async function checkDraft(page: WorkspacePage, source: MappingSource, { id, mapping }: Draft): Promise<Problems> {
  try {
    await explainBody(page, source, { delivery_id: id, mapping })
    return {}
  } catch (error) {
    return Object.fromEntries(Object.entries(toProblems(page, error)).filter(([name]) => !name.startsWith('body')))
  }
}

async function loadOutcome(page: WorkspacePage, source: MappingSource, { id, mapping }: Draft): Promise<Outcome> {
  try {
    return await explainBody(page, source, { delivery_id: id, mapping })
  } catch (error) {
    if (!isServiceError(error)) throw error
    const refusal = page.findRefusal(error)
    return unreadable(Object.values(refusal?.errors ?? {})[0]?.[0] ?? error.message)
  }
}

interface Refused {
  readonly status: 412 | 422
  readonly problems?: Problems
  /** Why the whole form was refused. */
  readonly conflict?: string
}

async function mappingPage(page: WorkspacePage, refused?: Refused): Promise<PageResult> {
  const source = sourceOf(page)
  if (source === undefined) return redirect(page.link(`/integrations/${page.params['integration']}`))
  const { list, name, href } = getParent(page, source)
  const preview = await loadPreview(page, source, refused)
  return show({
    title: 'Mapping',
    status: refused?.status ?? 200,
    crumbs: [list, { label: name, href }],
    body: (
      <>
        <MappingTabs href={href} isMapping />
        <PageHead title="Mapping">
          Corrects how bodies are read, with expressions in <a href="https://jmespath.org/tutorial.html">JMESPath</a>. A
          field without an expression keeps the value of the reader.
        </PageHead>
        {refused?.conflict !== undefined && (
          <Banner tone="warn">
            {refused.conflict} <StoredMapping mapping={preview.stored} />
          </Banner>
        )}
        <MappingForm action={`${href}/mapping`} preview={preview} />
        <MappingAssets />
      </>
    ),
  })
}

/** What another person has saved, in place of which the draft is shown. */
function StoredMapping({ mapping }: { readonly mapping: Mapping | null }) {
  const { fields = {}, ignore_when, opens_when } = mapping ?? {}
  const conditions = { 'Ignore when': ignore_when, 'Opens when': opens_when }
  const expressions = [
    ...Object.entries(fields).map(([field, expression]) => [labelOf(field), expression] as const),
    ...Object.entries(conditions).flatMap(([label, condition]) => (condition ? [[label, condition] as const] : [])),
  ]
  if (expressions.length === 0) return <>Stored now: no mapping.</>
  return (
    <>
      Stored now:{' '}
      {expressions.map(([label, expression], index) => (
        <>
          {index > 0 && ', '}
          {label} <code>{expression}</code>
        </>
      ))}
    </>
  )
}

/** The two pages of an integration. */
export const MappingTabs = ({ href, isMapping = false }: { readonly href: string; readonly isMapping?: boolean }) => (
  <Tabs
    label="Integration pages"
    tabs={[
      { label: 'Connect', href, isCurrent: !isMapping },
      { label: 'Mapping', href: `${href}/mapping`, isCurrent: isMapping },
    ]}
  />
)

/** Loaded only on this page. */
function MappingAssets() {
  const { asset } = useView()
  return (
    <>
      <link rel="stylesheet" href={asset('mapping.css')} />
      <script src={asset('mapping.js')} defer />
    </>
  )
}

function MappingForm({ action, preview }: { readonly action: string; readonly preview: Preview }) {
  const { source, problems, mapping } = preview
  const fields = Map.groupBy(fieldsOf(source), (field) => (isEmptyIn(preview, field) ? 'empty' : 'filled'))
  const renderRows = (names: readonly string[] = []) =>
    names.map((field) => <FieldRow field={field} preview={preview} />)
  return (
    <form method="post" action={action} class="mapping" data-mapping>
      <input type="hidden" name="draft" value="1" />
      <input type="hidden" name="version" value={preview.version} />
      <Received preview={preview} />
      <div class="stack">
        {problems[''] !== undefined && <Banner tone="bad">{problems['']}</Banner>}
        <Card title="Result" flush>
          <Result preview={preview} />
          {renderRows(fields.get('filled'))}
          {fields.has('empty') && (
            <details class="mapping-more">
              <summary>More fields</summary>
              {renderRows(fields.get('empty'))}
            </details>
          )}
        </Card>
        <Card title="Conditions" flush>
          <Condition name="ignore_when" label="Ignore when" value={mapping?.ignore_when} problems={problems} />
          {source.kind === 'errors' && (
            <Condition name="opens_when" label="Opens when" value={mapping?.opens_when} problems={problems} />
          )}
        </Card>
        <div class="form-foot">
          <Button variant="primary">Save</Button>
          <span class="row" id="mapping-replay" data-out>
            <Replay preview={preview} />
          </span>
          <button class="button" type="submit" formmethod="get" data-preview>
            Preview
          </button>
          <LinkButton href={action} variant="quiet">
            Discard
          </LinkButton>
        </div>
        <p class="meta" id="mapping-effect" role="status" data-out>
          {describeEffect(preview)}
        </p>
      </div>
      <datalist id="mapping-paths">
        {pathsOf(preview.lines).map((path) => (
          <option value={path} />
        ))}
      </datalist>
    </form>
  )
}

/** Saves and replays the selected body, if a replay can succeed. */
function Replay({ preview: { bodies, selected, opened } }: { readonly preview: Preview }) {
  const body = bodies[selected]
  if (body === undefined) return null
  const refusal = body.delivery.replay_refusal ?? body.outcome.refusal
  return (
    <>
      {opened !== undefined && (
        <span>
          This report opened <a href={opened.href}>{opened.number}</a>.{' '}
        </span>
      )}
      {refusal === undefined ? (
        <Button name="replay" value="1">
          {opened === undefined ? 'Save and replay this body' : 'Move it'}
        </Button>
      ) : (
        <span class="meta">No replay: {refusal}</span>
      )}
    </>
  )
}

function describeEffect({ bodies }: Preview): string {
  if (bodies.length === 0) return ''
  const countOf = (state: Outcome['state']) => bodies.filter(({ outcome }) => outcome.state === state).length
  const counts = [`${countOf('changed')} changed`, `${countOf('ignored')} ignored`, `${countOf('read')} as read`]
  const refused = countOf('refused')
  if (refused > 0) counts.push(`${refused} refused`)
  return `Of the last ${pluralize(bodies.length, 'body', 'bodies')}: ${counts.join(', ')}`
}

function Received({ preview: { bodies, selected, text, lines, source } }: { readonly preview: Preview }) {
  const outcome = bodies[selected]?.outcome
  return (
    <Card title="Last received" aside={<span class="meta">newest first, secrets masked</span>} flush>
      {bodies.length === 0 && (
        <p class="card-body quiet">Received bodies appear here. A mapping can be saved without one.</p>
      )}
      <div class="bodies">
        {bodies.map((body, index) => (
          <label>
            <input type="radio" name="delivery" value={body.delivery.id} checked={index === selected} />
            <bdi class="clip" id={`body-title-${body.delivery.id}`} data-out>
              {body.outcome.state === 'ignored' ? body.delivery.summary : body.outcome.title}
            </bdi>
            <span class={`meta ${body.outcome.state}`} id={`body-${body.delivery.id}`} data-out>
              {body.outcome.state === 'read' ? body.outcome.reader : body.outcome.state}
            </span>
            <span class="meta">
              <Time at={body.delivery.received_at} />
            </span>
          </label>
        ))}
      </div>
      {outcome !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold code as it is written
        <pre class="body-text" id="body-text" tabindex={0} role="group" aria-label="Selected body" data-out>
          <MappedBody text={text} lines={lines} used={fieldsByValue(outcome, source)} />
        </pre>
      )}
    </Card>
  )
}

const isShown = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')

/** The labels of the fields by their values, to mark them in the body. */
function fieldsByValue({ values }: Outcome, source: MappingSource): ReadonlyMap<string, readonly string[]> {
  const fields = fieldsOf(source).filter((field) => isShown(values[field]))
  const byValue = Map.groupBy(fields, (field) => String(values[field]))
  return new Map([...byValue].map(([value, names]) => [value, names.map(labelOf)]))
}

function Result({ preview: { bodies, selected, countedOn } }: { readonly preview: Preview }) {
  const outcome = bodies[selected]?.outcome
  const details = [`Reader: ${outcome?.reader}`, countedOn && `counted on ${countedOn}`, outcome?.detail]
  return (
    <div class="outcome" id="mapping-outcome" data-out>
      {outcome === undefined ? (
        <span class="quiet">No body is selected.</span>
      ) : (
        <>
          <strong dir="auto">{outcome.title}</strong>
          <span>{outcome.effect}</span>
          <span class="meta">{details.filter(Boolean).join(' · ')}</span>
        </>
      )}
    </div>
  )
}

/** Neither the reader nor the mapping has a value for this field of the selected body. */
function isEmptyIn({ bodies, selected, mapping, problems }: Preview, field: string): boolean {
  const outcome = bodies[selected]?.outcome
  const hasExpression = (mapping?.fields?.[field] ?? '') !== ''
  return outcome !== undefined && !isShown(outcome.values[field]) && !hasExpression && !problems[fieldName(field)]
}

function FieldRow({ field, preview }: { readonly field: string; readonly preview: Preview }) {
  const { bodies, selected, mapping, problems } = preview
  const outcome = bodies[selected]?.outcome
  const value = outcome?.values[field]
  const expression = mapping?.fields?.[field] ?? ''
  const isMapped = outcome?.mapped.includes(field) === true
  const name = fieldName(field)
  return (
    <div class="mapping-field">
      <label for={`field-${name}`}>{labelOf(field)}</label>
      <span id={`value-${field}`} data-out>
        <span class="value clip" dir="auto">
          {isShown(value) ? value : '–'}
        </span>
        <span class={expression === '' || isMapped ? 'meta' : 'meta fallback'}>
          {sourceText({ isMapped, hasValue: isShown(value), hasExpression: expression !== '' })}
        </span>
      </span>
      <Expression name={name} value={expression} problems={problems} />
    </div>
  )
}

/** `external_device_id` → `External device ID` */
const labelOf = (field: string) => words(field).replace(/\b(?:url|uid|id)\b/i, (name) => name.toUpperCase())

interface ValueSource {
  readonly isMapped: boolean
  readonly hasValue: boolean
  readonly hasExpression: boolean
}

function sourceText({ isMapped, hasValue, hasExpression }: ValueSource): string {
  if (isMapped) return 'mapping'
  if (hasExpression) return hasValue ? 'reader, because the expression finds nothing' : 'the expression finds nothing'
  return hasValue ? 'reader' : ''
}

interface ExpressionProps {
  readonly name: string
  readonly value: string | null | undefined
  readonly problems: Problems
}

function Condition({ label, ...expression }: ExpressionProps & { readonly label: string }) {
  return (
    <div class="mapping-field condition">
      <label for={`field-${expression.name}`}>{label}</label>
      <Expression {...expression} />
    </div>
  )
}

function Expression({ name, value, problems }: ExpressionProps) {
  const problem = problems[name]
  return (
    <>
      <input
        class="input"
        id={`field-${name}`}
        name={name}
        value={value ?? ''}
        list="mapping-paths"
        maxlength={500}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={`error-${name}`}
      />
      <p class="field-error" id={`error-${name}`} data-out>
        {problem}
      </p>
    </>
  )
}
