import { Button } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Form, FormFoot, SelectField, TextField } from '../../ui/components/form.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, newForm, submit, textOrNull, withStoredValues } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { currencyOptions, zoneOptions } from '../../ui/place-options.ts'
import { ifUnchanged, readVersioned } from '../../ui/versions.ts'

const settingsTabs = [
  { label: 'Workspace', path: '/settings', role: 'viewer' },
  { label: 'Members', path: '/settings/members', role: 'viewer' },
  { label: 'Audit log', path: '/settings/audit', role: 'admin' },
  { label: 'System', path: '/settings/system', role: 'instance' },
] as const

/** The settings tabs that the reader may open. */
export function SettingsTabs({
  page,
  current,
}: {
  readonly page: WorkspacePage
  readonly current: (typeof settingsTabs)[number]['path']
}) {
  const tabs = settingsTabs
    .filter(({ role }) => page.can(role))
    .map(({ label, path }) => ({ label, href: page.link(path), isCurrent: path === current }))
  return <Tabs label="Settings" tabs={tabs} />
}

export const settingsCrumbs = (page: WorkspacePage) => [{ label: 'Settings', href: page.link('/settings') }]

export const workspaceSettingsPages: WorkspacePages = [
  { method: 'GET', path: '/settings', handle: (page) => workspaceSettings(page) },
  { method: 'POST', path: '/settings', role: 'admin', handle: changeWorkspace },
]

async function changeWorkspace(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const patch = {
    name: form.text('name'),
    time_zone: form.text('time_zone'),
    currency: textOrNull(form, 'currency'),
  }
  const call = page.admin.workspaces.update({ workspace: page.workspace.id }, patch, ifUnchanged(form))
  const result = await submit(page, call)
  return result.ok ? redirect(page.link('/settings'), 'Workspace saved') : workspaceSettings(page, result.form)
}

async function workspaceSettings(page: WorkspacePage, submitted?: FormState): Promise<PageResult> {
  const { data, version } = await readVersioned(page.admin.workspaces.get({ workspace: page.workspace.id }))
  const values = { name: data.name, time_zone: data.time_zone, currency: data.currency }
  const state = submitted === undefined ? newForm(values) : withStoredValues(page.form, submitted, values)
  return show({
    title: 'Settings',
    status: state.status,
    body: (
      <>
        <SettingsTabs page={page} current="/settings" />
        <PageHead title="Workspace" />
        <div class="stack">
          {page.can('admin') && (
            <Form action={page.link('/settings')} state={state} version={version}>
              <TextField name="name" label="Name" state={state} />
              <SelectField
                name="time_zone"
                label="Time zone"
                options={zoneOptions}
                hint="Days, such as attendance days, begin at midnight in this zone."
                state={state}
              />
              <SelectField
                name="currency"
                label="Currency"
                options={currencyOptions}
                hint="The currency of deal and lead amounts."
                state={state}
              />
              <FormFoot>
                <Button variant="primary">Save</Button>
              </FormFoot>
            </Form>
          )}
          <Facts
            facts={[
              !page.can('admin') && ['Name', data.name],
              !page.can('admin') && ['Time zone', data.time_zone],
              !page.can('admin') && ['Currency', data.currency ?? 'None'],
              ['Number', <code>{data.id}</code>],
              ['Created', <Time at={data.created_at} exact />],
              ['Your role', page.role === 'instance' ? 'Administrator of the instance' : words(page.role)],
            ]}
          />
        </div>
      </>
    ),
  })
}
