import type { DryRun, Rule } from '@service/contract/admin/automation'
import type { RuleTrigger } from '@service/contract/admin/automation-input'
import { Card, PageHead } from '../../ui/components/card.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { distinctNames } from '../../ui/components/form.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { Table } from '../../ui/components/table.tsx'
import { pluralize, words } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, submit } from '../../ui/forms.ts'
import { type PageResult, recordRef, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { listNames, maxNames } from '../../ui/resource/fields.tsx'
import { ifUnchanged, readVersioned, type Versioned } from '../../ui/versions.ts'
import { draftErrors } from './draft-errors.ts'
import { changeRows, type Draft, emptyDraft, readDraft, toDraft, toRule, valuesOf } from './rule-draft.ts'
import { RuleForm } from './rule-form.tsx'
import { describeRule, type Names } from './rule-labels.ts'

// The builder is one form. Its buttons name their action; those that change rows return the form with the new rows.

export const newRule = async (page: WorkspacePage): Promise<PageResult> =>
  builder(page, { draft: emptyDraft, names: await loadNames(page) })

export async function openRule(page: WorkspacePage): Promise<PageResult> {
  const [edited, names] = await Promise.all([readVersioned(page.admin.rules.get(recordRef(page))), loadNames(page)])
  return builder(page, { draft: toDraft(edited.data, names), names, edited })
}

export async function buildNewRule(page: WorkspacePage): Promise<PageResult> {
  const draft = readDraft(page.form)
  const names = await loadNames(page)
  const pressed = page.form.text('do')
  if (pressed === 'try') return dryRunDraft(page, { draft, names })
  if (pressed !== 'save') return builder(page, { draft: changeRows(draft, pressed, page.form), names, pressed })
  const rule = { ...toRule(draft, names), trigger: draft.trigger as RuleTrigger, enabled: false } // validated by the server
  const result = await submit(
    page,
    page.admin.rules.create({ workspace: page.workspace.id }, rule, idempotency(page.form)),
    draftErrors(draft, names),
  )
  if (!result.ok) return builder(page, { draft, names, state: result.form })
  return redirect(page.link('/automation'), `${result.data.name} is created. Switch it on when it is ready.`)
}

export async function changeRule(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  const [rule, names] = await Promise.all([page.admin.rules.get(ref), loadNames(page)])
  const read = readDraft(page.form)
  // With one condition, the form does not ask how to combine them.
  const draft = { ...read, trigger: rule.trigger, match: page.form.has('match') ? read.match : rule.match }
  const edited = { data: rule, version: page.form.text('version') }
  const pressed = page.form.text('do')
  if (pressed === 'try') return dryRunDraft(page, { draft, names, edited })
  if (pressed !== 'save') return builder(page, { draft: changeRows(draft, pressed, page.form), names, edited, pressed })
  const result = await submit(
    page,
    page.admin.rules.update(ref, toRule(draft, names, rule), ifUnchanged(page.form)),
    draftErrors(draft, names),
  )
  if (result.ok) return redirect(page.link('/automation'), `${result.data.name} is saved`)
  return builder(page, { draft, names, edited: await readVersioned(page.admin.rules.get(ref)), state: result.form })
}

export async function deleteRule(page: WorkspacePage): Promise<PageResult> {
  await page.admin.rules.delete(recordRef(page))
  return redirect(page.link('/automation'), 'Rule deleted')
}

async function dryRunDraft(
  page: WorkspacePage,
  building: Pick<BuilderState, 'draft' | 'names' | 'edited'>,
): Promise<PageResult> {
  const { draft, names, edited } = building
  const { name: _, ...rule } = toRule(draft, names, edited?.data)
  const trigger = draft.trigger as RuleTrigger // validated by the server
  const result = await submit(
    page,
    page.admin.rules.dryRun({ workspace: page.workspace.id }, { ...rule, trigger }),
    draftErrors(draft, names),
  )
  return builder(page, result.ok ? { ...building, dryRun: result.data } : { ...building, state: result.form })
}

interface BuilderState {
  readonly draft: Draft
  readonly names: Names
  readonly state?: FormState
  readonly edited?: Versioned<Rule>
  readonly dryRun?: DryRun
  /** The button that changed the rows. */
  readonly pressed?: string
}

function builder(page: WorkspacePage, { draft, names, state, edited, dryRun, pressed }: BuilderState): PageResult {
  const shown = state ?? newForm(valuesOf(draft))
  const own = page.link(edited === undefined ? '/automation/new' : `/automation/${edited.data.id}`)
  const title = edited?.data.name ?? 'New rule'
  return show({
    title,
    status: shown.status,
    crumbs: [{ label: 'Automation', href: page.link('/automation') }],
    body: (
      <>
        <PageHead
          title={title}
          actions={
            edited !== undefined && (
              <Confirm
                id="delete"
                button={{ variant: 'danger', children: 'Delete…' }}
                title={`Delete ${title}?`}
                action={`${own}/delete`}
                confirmLabel="Delete rule"
              >
                Changes it has already made stay. This cannot be undone.
              </Confirm>
            )
          }
        >
          Try it before saving. A try changes nothing.
        </PageHead>
        <div class="stack">
          {edited !== undefined && shown.status === 412 && (
            <Banner tone="warn">
              Stored now: <strong dir="auto">{edited.data.name}</strong>, <bdi>{describeRule(edited.data, names)}</bdi>
            </Banner>
          )}
          <RuleForm
            page={page}
            action={own}
            draft={draft}
            state={shown}
            names={names}
            version={edited?.version}
            isStored={edited !== undefined}
            pressed={pressed}
          />
          {dryRun !== undefined && <DryRunResult page={page} dryRun={dryRun} people={names.people} />}
        </div>
      </>
    ),
  })
}

const shownTickets = 20

interface ResultProps {
  readonly page: WorkspacePage
  readonly dryRun: DryRun
  readonly people: Names['people']
}

/** What the rule would have changed. */
function DryRunResult({ page, dryRun, people }: ResultProps) {
  const { looked_at, matched, changed, tickets } = dryRun
  return (
    <section class="section" id="dry-run" tabindex={-1} autofocus>
      <h2>
        {changed === 0 && matched > 0 ? `Would have acted on ${matched}` : `Would have changed ${changed}`} of the last{' '}
        {pluralize(looked_at, 'ticket')}
      </h2>
      <p class="quiet">This was a dry run. Nothing was changed.</p>
      {tickets.length > 0 && (
        <Card flush>
          <Table caption="Matching tickets" columns={[{ name: 'Ticket' }, { name: 'Effect' }]}>
            {tickets.slice(0, shownTickets).map(({ id, ticket_number, title, changes, notes }) => (
              <tr>
                <td class="breakable">
                  <a href={page.link(`/tickets/${id}`)}>
                    {ticket_number} <bdi>{title}</bdi>
                  </a>
                </td>
                <td class="breakable">
                  {[...Object.entries(changes).map((change) => describeChange(change, people)), ...notes].join(
                    ', ',
                  ) || <span class="quiet">No change: already set</span>}
                </td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      {tickets.length > shownTickets && (
        <p class="meta">And {pluralize(tickets.length - shownTickets, 'ticket')} more.</p>
      )}
    </section>
  )
}

function describeChange(
  [field, { from, to }]: [string, { from: unknown; to: unknown }],
  people: Names['people'],
): string {
  const shown = (value: unknown) => (field === 'assigned_to' ? (people.get(Number(value)) ?? value) : value)
  return `${words(field)}: ${formatValue(shown(from))} → ${formatValue(shown(to))}`
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** The records that rules refer to; of projects, the newest. */
export async function loadNames(page: WorkspacePage): Promise<Names> {
  const [people, channels, projects] = await Promise.all([
    listNames(page, 'members'),
    listNames(page, 'channels'),
    listNames(page, 'projects', maxNames),
  ])
  return { people: distinctNames(people), channels: distinctNames(channels), projects: distinctNames(projects) }
}
