import type { SlaPolicy } from '@service/contract/admin/automation'
import { priorities } from '@service/contract/values'
import { PriorityMark } from '../../ui/components/badge.tsx'
import { Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { FieldError, Form, FormFoot, inputProps, StoredValue } from '../../ui/components/form.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { duration } from '../../ui/format.ts'
import {
  conflictWithStoredValues,
  type FormState,
  newForm,
  refusedForm,
  sentenceAs,
  submit,
  toNumber,
} from '../../ui/forms.ts'
import { type Fields, type PageResult, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { ifVersion, readVersioned } from '../../ui/versions.ts'

const targets = ['first_response_minutes', 'resolution_minutes'] as const

type Target = (typeof targets)[number]

const targetLabels = { first_response_minutes: 'First response', resolution_minutes: 'Resolution' } as const

export async function slaPolicies(page: WorkspacePage): Promise<PageResult> {
  const policies = await listPolicies(page)
  return policyForm(page, { policies, state: newForm(Object.fromEntries(policies.flatMap(fieldsOf))) })
}

/** One policy per known priority, set or not, plus those of any other priorities. */
async function listPolicies(page: WorkspacePage): Promise<readonly SlaPolicy[]> {
  const { data } = await page.admin.slaPolicies.list({ workspace: page.workspace.id })
  const known = [...priorities]
    .reverse()
    .map((priority) => data.find((policy) => policy.priority === priority) ?? withoutTargets(priority))
  return [...known, ...data.filter(({ priority }) => !known.some((policy) => policy.priority === priority))]
}

const withoutTargets = (priority: string): SlaPolicy => ({
  priority,
  first_response_minutes: null,
  resolution_minutes: null,
})

const fieldOf = (policy: Pick<SlaPolicy, 'priority'>, target: Target) => `${policy.priority}_${target}`

const fieldsOf = (policy: SlaPolicy) =>
  targets.map((target) => [fieldOf(policy, target), policy[target] ?? ''] as const)

/** The hidden field with the value that a field had when the page was loaded. */
const earlier = (name: string) => `was_${name}`

const isEdited = (form: Fields, name: string) => form.text(name) !== form.text(earlier(name))

/** Saves only edited policies, one request per priority, and shows the errors of all that are refused. */
export async function changePolicies(page: WorkspacePage): Promise<PageResult> {
  const refused: Refused[] = []
  let saved = 0
  for (const policy of await listPolicies(page)) {
    if (!targets.some((target) => isEdited(page.form, fieldOf(policy, target)))) continue
    const form = await changePolicy(page, policy)
    if (form === undefined) saved += 1
    else refused.push({ priority: policy.priority, form })
  }
  if (refused.length === 0) return redirect(page.link('/automation/sla'), 'Policies saved')
  const policies = await listPolicies(page)
  const state = withStored(page.form, refusedPolicies(page.form, refused), policies)
  return policyForm(page, { policies, state, savedOthers: saved > 0 })
}

/** Changes the edited targets, unless someone else has changed one of them since the page was loaded. */
async function changePolicy(page: WorkspacePage, { priority }: SlaPolicy): Promise<FormState | undefined> {
  const { admin, form, workspace } = page
  const ref = { workspace: workspace.id, priority }
  const { data, version } = await readVersioned(admin.slaPolicies.get(ref))
  const edited = targets.filter((target) => isEdited(form, fieldOf({ priority }, target)))
  const isStored = (target: Target) => String(data[target] ?? '') === form.text(earlier(fieldOf({ priority }, target)))
  if (!edited.every(isStored)) return refusedForm(form, {}, 412)
  const minutes = edited.map((target) => [target, readMinutes(form, fieldOf({ priority }, target))])
  const { priority: _, ...stored } = data
  const patch = { ...stored, ...Object.fromEntries(minutes) }
  const result = await submit(page, admin.slaPolicies.update(ref, patch, ifVersion(version)))
  return result.ok ? undefined : result.form
}

/** Shows the stored value at an edited field that someone else has changed, and in all fields that were not edited. */
function withStored(form: Fields, refused: FormState, policies: readonly SlaPolicy[]): FormState {
  const stored = newForm(Object.fromEntries(policies.flatMap(fieldsOf)))
  const isChanged = (name: string) => stored.text(name) !== form.text(earlier(name))
  return {
    ...refused,
    text: (name) => (form.has(name) && isEdited(form, name) ? form : stored).text(name),
    stored: (name) =>
      isEdited(form, name) && isChanged(name) && stored.text(name) !== form.text(name) ? stored.text(name) : undefined,
  }
}

/** The server rejects the negative number that other text becomes. */
const readMinutes = (form: Fields, name: string) => (form.text(name) === '' ? null : (toNumber(form.text(name)) ?? -1))

interface Refused {
  readonly priority: string
  readonly form: FormState
}

function refusedPolicies(form: Fields, refused: readonly Refused[]): FormState {
  const errors = refused.flatMap(({ priority, form: { problems } }) =>
    problems.map((problem) => {
      const name = `${priority}_${problem.field}`
      return [name, [sentenceAs(name, problem)]]
    }),
  )
  const isConflict = refused.some(({ form }) => form.status === 412)
  const all = Object.fromEntries(errors)
  return isConflict ? refusedForm(form, all, 412, conflictWithStoredValues) : refusedForm(form, all)
}

interface PolicyForm {
  readonly policies: readonly SlaPolicy[]
  readonly state: FormState
  /** Whether some targets were saved while others were refused. */
  readonly savedOthers?: boolean
}

function policyForm(page: WorkspacePage, { policies, state, savedOthers = false }: PolicyForm): PageResult {
  const canChange = page.can('admin')
  const table = (
    <div class="scroller table-frame">
      <Table
        caption="Targets by priority"
        columns={[{ name: 'Priority' }, ...targets.map((name) => ({ name: targetLabels[name] }))]}
      >
        {policies.map((policy) => (
          <tr>
            <td class="tight">
              <PriorityMark priority={policy.priority} withLabel />
            </td>
            {targets.map((name) => (
              <td>
                {canChange ? (
                  <MinutesField
                    name={fieldOf(policy, name)}
                    label={`${targetLabels[name]} (${policy.priority})`}
                    stored={policy[name]}
                    state={state}
                  />
                ) : (
                  formatMinutes(policy[name])
                )}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  )
  return show({
    title: 'SLA policies',
    status: state.status,
    crumbs: [{ label: 'Automation', href: page.link('/automation') }],
    body: (
      <>
        <AutomationTabs page={page} current="sla" />
        <PageHead title="SLA policies">
          Response and resolution targets by priority. Leave a field empty for no target.
        </PageHead>
        {canChange ? (
          <Form action={page.link('/automation/sla')} state={state}>
            {savedOthers && <Banner tone="info">Your changes to the other priorities are saved.</Banner>}
            {table}
            <FormFoot>
              <Button variant="primary">Save</Button>
            </FormFoot>
          </Form>
        ) : (
          table
        )}
      </>
    ),
  })
}

const minuteMs = 60_000

const formatMinutes = (minutes: number | null) => (minutes === null ? '–' : duration(minutes * minuteMs))

interface MinutesProps {
  readonly name: string
  readonly label: string
  readonly stored: number | null
  readonly state: FormState
}

function MinutesField({ name, label, stored, state }: MinutesProps) {
  state.labels.set(name, label)
  const minutes = Number(state.text(name))
  return (
    <div class="row">
      <input
        class="input minutes"
        type="number"
        value={state.text(name)}
        aria-label={`${label}, in minutes`}
        {...inputProps({ name, state })}
      />
      <input type="hidden" name={earlier(name)} value={stored ?? ''} />
      <span class="meta">{minutes >= 60 ? `min, ${formatMinutes(minutes)}` : 'min'}</span>
      <StoredValue name={name} value={state.stored(name)} />
      <FieldError name={name} state={state} />
    </div>
  )
}

export function AutomationTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: 'rules' | 'runs' | 'sla'
}) {
  const tabs = [
    { label: 'Rules', href: page.link('/automation'), isCurrent: current === 'rules' },
    { label: 'Runs', href: page.link('/automation/runs'), isCurrent: current === 'runs' },
    { label: 'SLA policies', href: page.link('/automation/sla'), isCurrent: current === 'sla' },
  ]
  return <Tabs label="Automation" tabs={tabs} />
}
