import type { MemberRole } from '@service/contract/admin/people-input'
import { memberRoles } from '@service/contract/admin/people-input'
import type { UserAccount } from '@service/contract/admin/users'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { ActionButton, Button, LinkButton } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Confirm, Dialog } from '../../ui/components/dialog.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import {
  Choices,
  Form,
  FormFoot,
  namedOptions,
  SelectField,
  TextField,
  wordOptions,
} from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { InlineSelect } from '../../ui/components/inline-field.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { PasswordLinkCard } from '../../ui/components/password-link-card.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { Pager, RowLink, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, numberOrUndefined, refusalOf, submit } from '../../ui/forms.ts'
import { type AccountPage, type AccountPages, type PageResult, redirect, show } from '../../ui/page-types.ts'
import { maxNames } from '../../ui/resource/fields.tsx'
import { changeRole } from '../members/change-role.ts'
import { InstanceTabs } from '../workspaces/instance-pages.tsx'
import { EndPersonalTokens } from './end-personal-tokens.tsx'

const role = 'instance'

/** The people of this server. */
export const peoplePages: AccountPages = [
  { method: 'GET', path: '/people', role, handle: listPeople },
  { method: 'GET', path: '/people/new', role, handle: (page) => personForm(page, newForm({ role: 'member' })) },
  { method: 'POST', path: '/people', role, handle: createPerson },
  { method: 'GET', path: '/people/{id}', role, handle: (page) => personPage(page) },
  { method: 'POST', path: '/people/{id}/password-link', role, handle: createPasswordLink },
  { method: 'POST', path: '/people/{id}/state', role, handle: changeState },
  { method: 'POST', path: '/people/{id}/memberships', role, handle: addMembership },
  { method: 'POST', path: '/people/{id}/roles', role, handle: saveRole },
  { method: 'POST', path: '/people/{id}/removals', role, handle: endMembership },
]

const crumbs = (page: AccountPage) => [{ label: 'People', href: page.dashboard('/people') }]

function stateOf({ disabled_at, has_password }: UserAccount) {
  if (disabled_at !== null) return { tone: 'bad', label: 'Disabled' } as const
  return has_password
    ? ({ tone: 'ok', label: 'Active' } as const)
    : ({ tone: 'warn', label: 'No password yet' } as const)
}

function StateBadge({ user }: { readonly user: UserAccount }) {
  const { tone, label } = stateOf(user)
  return <Badge tone={tone}>{label}</Badge>
}

async function listPeople(page: AccountPage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const { data, next_before } = await page.admin.users.list({ before })
  return show({
    title: 'People',
    action: (
      <LinkButton href={page.dashboard('/people/new')} variant="primary" icon="user-plus" shortcut="c">
        New person
      </LinkButton>
    ),
    body: (
      <>
        <h1 class="sr">People</h1>
        <InstanceTabs page={page} current="/people" />
        <Table
          bleed
          caption="People"
          columns={[
            { name: 'Name', classes: 'wide' },
            { name: 'Workspaces', classes: 'wide-only' },
            { name: 'State' },
            { name: 'Since', classes: 'right wide-only' },
          ]}
        >
          {data.map((user) => (
            <PersonRow page={page} user={user} />
          ))}
        </Table>
        <Pager
          summary={pluralize(data.length, 'person', 'people')}
          page={page}
          href={page.dashboard('/people')}
          next={next_before}
        />
      </>
    ),
  })
}

const shownWorkspaces = 2

function PersonRow({ page, user }: { readonly page: AccountPage; readonly user: UserAccount }) {
  const { id, name, email, workspaces, is_instance_admin, created_at } = user
  const rest = workspaces.length - shownWorkspaces
  return (
    <tr>
      <td class="wide">
        <div class="with-icon">
          <Avatar name={name} />
          <RowLink href={page.dashboard(`/people/${id}`)}>{name}</RowLink>
          <bdi class="meta clip wide-only">{email}</bdi>
          {is_instance_admin && (
            <span class="meta wide-only">
              <Tag>administrator</Tag>
            </span>
          )}
        </div>
        <div class="second clip" dir="auto">
          {email}
          {is_instance_admin && ' · administrator'}
        </div>
      </td>
      <td class="wide-only quiet tight">
        {workspaces.slice(0, shownWorkspaces).map((workspace, index) => (
          <>
            {index > 0 && ', '}
            <bdi>{workspace.name}</bdi> ({workspace.role})
          </>
        ))}
        {rest > 0 && ` +${rest}`}
      </td>
      <td class="tight">
        <StateBadge user={user} />
      </td>
      <td class="right meta wide-only tight">
        <Time at={created_at} />
      </td>
    </tr>
  )
}

interface Shown {
  /** A new one-time link. */
  readonly link?: string | undefined
  /** The refused form that adds a workspace. */
  readonly membership?: FormState | undefined
  /** What was refused, and why. */
  readonly refusal?: string | undefined
}

async function personPage(page: AccountPage, shown: Shown = {}): Promise<PageResult> {
  const user = await page.admin.users.get({ id: Number(page.params['id']) })
  return showPerson(page, user, shown)
}

async function showPerson(page: AccountPage, user: UserAccount, { link, membership, refusal }: Shown) {
  // Members are added to older workspaces on the pages of those.
  const workspaces = await page.admin.workspaces.list({ limit: 200 }).all({ limit: maxNames })
  const own = new Set(user.workspaces.map(({ id }) => id))
  const others = workspaces.filter(({ id }) => !own.has(id))
  return show({
    title: user.name,
    status: membership?.status ?? statusOf({ link, refusal }),
    crumbs: crumbs(page),
    body: (
      <>
        <PageHead title={user.name} badge={<StateBadge user={user} />} actions={<Actions page={page} user={user} />}>
          <bdi>{user.email}</bdi>
        </PageHead>
        <div class="stack">
          {refusal !== undefined && <Banner tone="bad">{refusal}</Banner>}
          {link !== undefined && (
            <PasswordLinkCard name={user.name} link={link} lifetime={user.has_password ? 'one hour' : 'seven days'} />
          )}
          <div class="split">
            <Memberships page={page} user={user} others={others} state={membership ?? newForm({ role: 'member' })} />
            <Card title="Account">
              <Facts
                facts={[
                  ['E-mail', <bdi>{user.email}</bdi>],
                  ['Password', user.has_password ? 'Set' : 'None yet'],
                  ['Administers', user.is_instance_admin ? 'This server' : '–'],
                  ['Since', <Time at={user.created_at} exact />],
                ]}
              />
            </Card>
          </div>
        </div>
      </>
    ),
  })
}

function statusOf({ link, refusal }: Shown): number {
  if (link !== undefined) return 201
  return refusal === undefined ? 200 : 409
}

function Actions({
  page,
  user: { id, name, disabled_at },
}: {
  readonly page: AccountPage
  readonly user: UserAccount
}) {
  const own = page.dashboard(`/people/${id}`)
  const state = newForm({ end_personal_tokens: 'true' })
  if (disabled_at !== null)
    return (
      <ActionButton id="switch-person" action={`${own}/state`}>
        Enable
      </ActionButton>
    )
  return (
    <>
      {id !== page.person.id && (
        <>
          <Button id="switch-person" opens="disable" variant="quiet">
            Disable…
          </Button>
          <Dialog id="disable" title={`Disable ${name}?`}>
            <ul class="effects">
              <li>Their sessions and personal access tokens end, and they can no longer sign in.</li>
              <li>Their API tokens stop working until you enable them again.</li>
              <li>Their tickets, tasks, and messages are kept.</li>
            </ul>
            <ActionButton action={`${own}/state`} fields={{ disabled: 'true' }} variant="danger">
              Disable person
            </ActionButton>
          </Dialog>
        </>
      )}
      <Button id="open-password-link" opens="password-link-dialog" icon="key-round">
        New password link
      </Button>
      <Dialog id="password-link-dialog" title={`New password link for ${name}`}>
        <p>With the link they choose a password, which ends their sessions.</p>
        <Form action={`${own}/password-link`} state={state}>
          <EndPersonalTokens state={state} />
          <Button variant="primary">Create link</Button>
        </Form>
      </Dialog>
    </>
  )
}

interface MembershipsProps {
  readonly page: AccountPage
  readonly user: UserAccount
  /** The workspaces without this person. */
  readonly others: readonly { readonly id: number; readonly name: string }[]
  readonly state: FormState
}

/** More would make the page slow for a person who is in thousands. */
const maxMemberships = 50

/** The newest memberships, or those in workspaces of a name. */
function shownMemberships({ query }: AccountPage, { workspaces }: UserAccount) {
  const search = query.text('search').toLowerCase()
  return workspaces.filter(({ name }) => name.toLowerCase().includes(search)).slice(0, maxMemberships)
}

const Memberships = ({ page, user, others, state }: MembershipsProps) => (
  <Card title="Workspaces" aside={<span class="meta">{pluralize(user.workspaces.length, 'workspace')}</span>} flush>
    {user.workspaces.length > maxMemberships && (
      <div class="card-body">
        <p class="quiet">At most {maxMemberships} are shown. Search for others by name.</p>
        <FilterBar
          path={page.dashboard(`/people/${user.id}`)}
          query={page.query}
          search="Name of the workspace"
          filters={[]}
        />
      </div>
    )}
    <Table
      caption="Workspaces"
      columns={[
        { name: 'Workspace', classes: 'wide' },
        { name: 'Role', classes: 'right' },
      ]}
    >
      {shownMemberships(page, user).map((workspace) => (
        <tr>
          <td class="wide">
            <a dir="auto" href={page.dashboard(`/w/${workspace.id}/overview`)}>
              {workspace.name}
            </a>
          </td>
          <td class="right tight">
            <div class="with-icon">
              <InlineSelect
                id={`role-${workspace.id}`}
                name="role"
                value={workspace.role}
                label={`Role in ${workspace.name}`}
                options={wordOptions(memberRoles)}
                action={page.dashboard(`/people/${user.id}/roles?workspace=${workspace.id}`)}
                version={workspace.role}
              />
              <Confirm
                id={`remove-${workspace.id}`}
                button={{ icon: 'x', label: `Remove from ${workspace.name}`, variant: 'quiet', small: true }}
                title={`Remove ${user.name} from ${workspace.name}?`}
                action={page.dashboard(`/people/${user.id}/removals?workspace=${workspace.id}`)}
                confirmLabel="Remove from workspace"
              >
                Their API tokens of this workspace are revoked.
              </Confirm>
            </div>
          </td>
        </tr>
      ))}
    </Table>
    {others.length > 0 && (
      <div class="card-body">
        <Form action={page.dashboard(`/people/${user.id}/memberships`)} state={state}>
          <SelectField name="workspace" label="Add to a workspace" options={namedOptions(others)} state={state} />
          <SelectField name="role" label="Role" options={wordOptions(memberRoles)} state={state} />
          <FormFoot>
            <Button>Add</Button>
          </FormFoot>
        </Form>
      </div>
    )}
  </Card>
)

async function personForm(page: AccountPage, state: FormState): Promise<PageResult> {
  // Members are added to older workspaces on the pages of those.
  const workspaces = await page.admin.workspaces.list({ limit: 200 }).all({ limit: maxNames })
  const people = page.dashboard('/people')
  return formPage({
    title: 'New person',
    intro: 'The next page shows a link with which they choose a password.',
    crumbs: crumbs(page),
    action: people,
    cancel: people,
    state,
    fields: (
      <>
        <TextField name="name" label="Name" state={state} autofocus />
        <TextField name="email" label="E-mail address" type="email" state={state} />
        <SelectField name="workspace" label="Workspace" options={namedOptions(workspaces, 'None yet')} state={state} />
        <SelectField name="role" label="Role in the workspace" options={wordOptions(memberRoles)} state={state} />
        <Choices
          name="is_instance_admin"
          label="This server"
          options={[
            { value: 'true', label: 'Instance administrator', hint: 'Manages all workspaces, people, and backups' },
          ]}
          state={state}
        />
      </>
    ),
    submitLabel: 'Create person',
  })
}

const readRole = (page: AccountPage) => page.form.text('role') as MemberRole // validated by the server

async function createPerson(page: AccountPage): Promise<PageResult> {
  const { form, admin } = page
  const input = {
    name: form.text('name'),
    email: form.text('email'),
    is_instance_admin: form.list('is_instance_admin').includes('true'),
  }
  const result = await submit(page, admin.users.create(input, idempotency(form)))
  if (!result.ok) return personForm(page, result.form)
  const { id, name, email } = result.data
  const workspace = numberOrUndefined(form, 'workspace')
  const added =
    workspace === undefined
      ? undefined
      : await submit(page, admin.members.create({ workspace }, { name, email, role: readRole(page) }))
  return showPerson(page, await admin.users.get({ id }), {
    link: await passwordLink(page, id),
    refusal: added?.ok === false ? `${name} was not added to the workspace: ${refusalOf(added.form)}` : undefined,
  })
}

async function passwordLink(page: AccountPage, id: number, end_personal_tokens = true): Promise<string> {
  const { link } = await page.admin.users.resetPassword({ id }, { end_personal_tokens })
  return `${page.serverUrl}${link}`
}

async function createPasswordLink(page: AccountPage): Promise<PageResult> {
  const link = await passwordLink(page, Number(page.params['id']), page.form.has('end_personal_tokens'))
  return personPage(page, { link })
}

async function changeState(page: AccountPage): Promise<PageResult> {
  const disabled = page.form.text('disabled') === 'true'
  const { id, name } = await page.admin.users.update({ id: Number(page.params['id']) }, { disabled })
  return redirect(page.dashboard(`/people/${id}`), `${name} is ${disabled ? 'disabled' : 'enabled'}`)
}

async function addMembership(page: AccountPage): Promise<PageResult> {
  const { name, email } = await page.admin.users.get({ id: Number(page.params['id']) })
  const workspace = Number(page.form.text('workspace'))
  const result = await submit(page, page.admin.members.create({ workspace }, { name, email, role: readRole(page) }))
  if (!result.ok) return personPage(page, { membership: result.form })
  return redirect(page.dashboard(`/people/${page.params['id']}`), `${name} is added`)
}

const toMemberRef = (page: AccountPage) => ({
  workspace: Number(page.query.text('workspace')),
  id: Number(page.params['id']),
})

async function saveRole(page: AccountPage): Promise<PageResult> {
  const { workspace, id } = toMemberRef(page)
  const result = await changeRole(page, { workspace, id })
  if (result.ok) return redirect(page.dashboard(`/people/${id}`), 'Role saved')
  const { name } = await page.admin.workspaces.get({ workspace })
  return personPage(page, { refusal: `The role in ${name} was not changed: ${refusalOf(result.form)}` })
}

async function endMembership(page: AccountPage): Promise<PageResult> {
  const { workspace, id } = toMemberRef(page)
  const { name } = await page.admin.workspaces.get({ workspace })
  const result = await submit(page, page.admin.members.delete({ workspace, id }))
  if (result.ok) return redirect(page.dashboard(`/people/${id}`), `Removed from ${name}`)
  return personPage(page, { refusal: `The membership of ${name} was not ended: ${refusalOf(result.form)}` })
}
