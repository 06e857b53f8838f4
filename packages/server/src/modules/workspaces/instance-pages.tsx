import type { ListedWorkspace } from '@service/contract/admin/people'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Dialog, Menu, MenuAction, MenuDialog, MenuLink } from '../../ui/components/dialog.tsx'
import { namedOptions, SelectField, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { Avatar, Person } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { count, pluralize } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, numberOrUndefined, submit, textOrNull } from '../../ui/forms.ts'
import { type AccountPage, type AccountPages, type PageResult, redirect, show } from '../../ui/page-types.ts'
import { currencyOptions, zoneOptions } from '../../ui/place-options.ts'
import { maxNames } from '../../ui/resource/fields.tsx'

const role = 'instance'

/** The workspaces of this server. */
export const instanceWorkspacePages: AccountPages = [
  { method: 'GET', path: '/workspaces', role, handle: listWorkspaces },
  {
    method: 'GET',
    path: '/workspaces/new',
    role,
    handle: (page) => workspaceForm(page, newForm({ time_zone: page.zone, owner: page.person.id })),
  },
  { method: 'POST', path: '/workspaces', role, handle: createWorkspace },
  { method: 'POST', path: '/workspaces/{id}/state', role, handle: changeState },
]

const instanceTabs = [
  { label: 'Workspaces', path: '/workspaces' },
  { label: 'People', path: '/people' },
] as const

export const InstanceTabs = ({
  page,
  current,
}: {
  readonly page: AccountPage
  readonly current: (typeof instanceTabs)[number]['path']
}) => (
  <Tabs
    label="This server"
    tabs={instanceTabs.map(({ label, path }) => ({ label, href: page.dashboard(path), isCurrent: path === current }))}
  />
)

async function listWorkspaces(page: AccountPage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.workspaces.list({ before })
  return show({
    title: 'Workspaces',
    action: (
      <LinkButton href={page.dashboard('/workspaces/new')} variant="primary" icon="plus" shortcut="c">
        New workspace
      </LinkButton>
    ),
    body: (
      <>
        <h1 class="sr">Workspaces</h1>
        <InstanceTabs page={page} current="/workspaces" />
        <Table
          bleed
          caption="Workspaces"
          columns={[
            { name: 'Name', classes: 'wide' },
            { name: 'Owners', classes: 'wide-only' },
            { name: 'Members', classes: 'right wide-only' },
            { name: 'Created', classes: 'right wide-only' },
            { name: 'Actions', classes: 'right', isHidden: true },
          ]}
        >
          {data.map((workspace) => (
            <WorkspaceRow page={page} workspace={workspace} />
          ))}
        </Table>
        <Pager
          summary={pluralize(data.length, 'workspace')}
          page={page}
          href={page.dashboard('/workspaces')}
          next={next_before}
        />
        {data.map((workspace) => (
          <DisableDialog page={page} workspace={workspace} />
        ))}
      </>
    ),
  })
}

interface WorkspaceProps {
  readonly page: AccountPage
  readonly workspace: ListedWorkspace
}

function WorkspaceRow({ page, workspace }: WorkspaceProps) {
  const { id, name, time_zone, owners, members, disabled_at, created_at } = workspace
  const own = page.dashboard(`/w/${id}`)
  const [owner] = owners
  return (
    <tr>
      <td class="wide">
        <div class="with-icon">
          <Avatar name={name} />
          <RowLink href={`${own}/overview`}>{name}</RowLink>
          {disabled_at !== null && <Badge tone="mute">Disabled</Badge>}
          <span class="meta wide-only">{time_zone}</span>
        </div>
        <div class="second clip">
          {owner === undefined ? 'No owner' : <bdi>{owner.name}</bdi>} · {pluralize(members, 'member')}
        </div>
      </td>
      <td class="wide-only tight">
        <Person name={owner?.name} empty="None" />
        {owners.length > 1 && <span class="meta"> +{owners.length - 1}</span>}
      </td>
      <td class="right wide-only tight">{count(members)}</td>
      <td class="right meta wide-only tight">
        <Time at={created_at} />
      </td>
      <td class="right tight">
        <Menu label={`Actions for ${name}`}>
          <MenuLink href={`${own}/overview`} icon="arrow-right">
            Open
          </MenuLink>
          <MenuLink href={`${own}/settings`} icon="settings">
            Settings
          </MenuLink>
          {disabled_at === null ? (
            <MenuDialog opens={`disable-${id}`} icon="pause" isDangerous>
              Disable…
            </MenuDialog>
          ) : (
            <MenuAction action={page.dashboard(`/workspaces/${id}/state`)} icon="play">
              Enable
            </MenuAction>
          )}
        </Menu>
      </td>
    </tr>
  )
}

const DisableDialog = ({ page, workspace: { id, name, members, disabled_at } }: WorkspaceProps) =>
  disabled_at === null && (
    <Dialog id={`disable-${id}`} title={`Disable ${name}?`}>
      <ul class="effects">
        <li>{pluralize(members, 'member')} can no longer open it. Only instance administrators can.</li>
        <li>Its API tokens stop working.</li>
        <li>Deliveries to its inbound webhooks are rejected with 404.</li>
        <li>Webhook deliveries that are already queued are still sent.</li>
        <li>Nothing is deleted. You can enable it again at any time.</li>
      </ul>
      <ActionButton action={page.dashboard(`/workspaces/${id}/state`)} fields={{ disabled: 'true' }} variant="danger">
        Disable workspace
      </ActionButton>
    </Dialog>
  )

async function changeState(page: AccountPage): Promise<PageResult> {
  const disabled = page.form.text('disabled') === 'true'
  const { name } = await page.admin.workspaces.update({ workspace: Number(page.params['id']) }, { disabled })
  return redirect(page.dashboard('/workspaces'), `${name} is ${disabled ? 'disabled' : 'enabled'}`)
}

async function workspaceForm(page: AccountPage, state: FormState): Promise<PageResult> {
  const users = await page.admin.users.list({ limit: 200 }).all({ limit: maxNames })
  const people = users.filter(({ disabled_at }) => disabled_at === null)
  const workspaces = page.dashboard('/workspaces')
  return formPage({
    title: 'New workspace',
    intro: 'Tickets, members, tokens, and everything else belong to one workspace.',
    crumbs: [{ label: 'Workspaces', href: workspaces }],
    action: workspaces,
    cancel: workspaces,
    state,
    fields: (
      <>
        <TextField name="name" label="Name" state={state} autofocus />
        <SelectField
          name="owner"
          label="Owner"
          options={namedOptions(people, 'No owner yet')}
          hint="Owners manage the members and settings."
          state={state}
        />
        <SelectField name="time_zone" label="Time zone" options={zoneOptions} state={state} />
        <SelectField name="currency" label="Currency" options={currencyOptions} state={state} />
      </>
    ),
    submitLabel: 'Create workspace',
  })
}

async function createWorkspace(page: AccountPage): Promise<PageResult> {
  const { form, admin } = page
  const input = {
    name: form.text('name'),
    time_zone: form.text('time_zone') || undefined,
    currency: textOrNull(form, 'currency'),
  }
  const result = await submit(page, admin.workspaces.create(input, idempotency(form)))
  if (!result.ok) return workspaceForm(page, result.form)
  const { id, name } = result.data
  const ownerId = numberOrUndefined(form, 'owner')
  if (ownerId !== undefined) {
    const owner = await admin.users.get({ id: ownerId })
    // After a double submit, the owner is already a member.
    await submit(page, admin.members.create({ workspace: id }, { name: owner.name, email: owner.email, role: 'owner' }))
  }
  return redirect(page.dashboard(`/w/${id}/overview`), `${name} is created`)
}
