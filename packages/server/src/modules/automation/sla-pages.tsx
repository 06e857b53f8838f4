import type { SlaPolicy } from '@service/contract/admin/automation'
import { priorities } from '@service/contract/values'
import { PriorityMark } from '../../ui/components/badge.tsx'
import { Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { FieldError, Form, FormFoot } from '../../ui/components/form.tsx'
import { Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { duration, words } from '../../ui/format.ts'
import { type FormState, newForm, refusedForm, sentenceAs, submit, toNumber } from '../../ui/forms.ts'
import { type Fields, type PageResult, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'

const targets = ['first_response_minutes', 'resolution_minutes'] as const

const targetLabels = { first_response_minutes: 'First response', resolution_minutes: 'Resolution' } as const

export async function slaPolicies(page: WorkspacePage): Promise<PageResult> {
  const policies = await listPolicies(page)
  return policyForm(page, policies, newForm(Object.fromEntries(policies.flatMap(fieldsOf))))
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

const fieldsOf = (policy: SlaPolicy) =>
  targets.map((target) => [`${policy.priority}_${target}`, policy[target] ?? ''] as const)

/** Saves only changed policies, one request per priority, and shows the errors of all that are refused. */
export async function changePolicies(page: WorkspacePage): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const policies = await listPolicies(page)
  const refused: Refused[] = []
  for (const policy of policies) {
    const patch = Object.fromEntries(
      targets.map((name) => [name, readMinutes(page.form, `${policy.priority}_${name}`)]),
    )
    if (targets.every((name) => patch[name] === policy[name])) continue
    const result = await submit(page, page.admin.slaPolicies.update({ ...at, priority: policy.priority }, patch))
    if (!result.ok) refused.push({ priority: policy.priority, form: result.form })
  }
  if (refused.length > 0) return policyForm(page, policies, refusedPolicies(page.form, refused))
  return redirect(page.link('/automation/sla'), 'Policies saved')
}

/** The server rejects the negative number that other text becomes. */
const readMinutes = (form: Fields, name: string) => (form.text(name) === '' ? null : (toNumber(form.text(name)) ?? -1))

interface Refused {
  readonly priority: string
  readonly form: FormState
}

const refusedPolicies = (form: Fields, refused: readonly Refused[]) =>
  refusedForm(
    form,
    Object.fromEntries(
      refused.flatMap(({ priority, form: { problems } }) =>
        problems.map((problem) => {
          const name = `${priority}_${problem.field}`
          return [name, [sentenceAs(name, problem)]]
        }),
      ),
    ),
    refused[0]?.form.status,
  )

function policyForm(page: WorkspacePage, policies: readonly SlaPolicy[], state: FormState): PageResult {
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
                    name={`${policy.priority}_${name}`}
                    label={`${words(policy.priority)}: ${targetLabels[name]}`}
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
  readonly state: FormState
}

function MinutesField({ name, label, state }: MinutesProps) {
  const isWrong = state.error(name) !== undefined
  state.labels.set(name, label)
  const minutes = Number(state.text(name))
  return (
    <div class="row">
      <input
        class="input minutes"
        type="number"
        id={`field-${name}`}
        name={name}
        value={state.text(name)}
        aria-label={`${label}, in minutes`}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? `error-${name}` : undefined}
      />
      <span class="meta">{minutes >= 60 ? `min, ${formatMinutes(minutes)}` : 'min'}</span>
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
