import type { ListedMember, Member } from '@service/contract/admin/people'
import type { MemberRole } from '@service/contract/admin/people-input'
import { memberRoles } from '@service/contract/admin/people-input'
import type { OneTimeLink } from '@service/contract/admin/users'
import { ActionButton, Button, LinkButton } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Confirm, Dialog } from '../../ui/components/dialog.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Choices, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { PasswordLinkCard } from '../../ui/components/password-link-card.tsx'
import { Person } from '../../ui/components/person.tsx'
import { PagedList, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { duration, pluralize, words } from '../../ui/format.ts'
import {
  type FormState,
  idempotency,
  newForm,
  numberOrUndefined,
  refusalOf,
  submit,
  textOrUndefined,
  urlWith,
} from '../../ui/forms.ts'
import {
  type PageResult,
  recordRef,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { SettingsTabs, settingsCrumbs } from '../workspaces/pages.tsx'
import { changeRole } from './change-role.ts'

const role = 'admin'

export const memberPages: WorkspacePages = [
  { method: 'GET', path: '/settings/members', handle: memberList },
  {
    method: 'GET',
    path: '/settings/members/new',
    role,
    creates: 'member',
    handle: (page) => inviteForm(page, newForm(defaults)),
  },
  { method: 'POST', path: '/settings/members', role, handle: addMember },
  { method: 'POST', path: '/settings/members/{id}', role, handle: saveRole },
  { method: 'POST', path: '/settings/members/{id}/remove', role, handle: removeMember },
  { method: 'POST', path: '/settings/members/{id}/invitation', role: 'owner', handle: renewInvitation },
]

const defaults = { role: 'member' }

async function memberList(page: WorkspacePage): Promise<PageResult> {
  const path = page.link('/settings/members')
  const search = textOrUndefined(page.query, 'search')
  const query = { search, before: numberOrUndefined(page.query, 'before') }
  const { data, next_before } = await page.admin.members.list({ workspace: page.workspace.id }, query)
  const canChange = page.can('admin')
  return show({
    title: 'Members',
    live: true,
    crumbs: settingsCrumbs(page),
    action: canChange ? (
      <LinkButton href={page.link('/settings/members/new')} variant="primary" icon="user-plus" shortcut="c">
        Add member
      </LinkButton>
    ) : undefined,
    body: (
      <>
        <h1 class="sr">Members</h1>
        <SettingsTabs page={page} current="/settings/members" />
        <FilterBar path={path} query={page.query} search="Search members" filters={[]} />
        <PagedList
          isEmpty={data.length === 0}
          empty={
            <Empty icon="search" title="No members match">
              Searches parts of names and e-mail addresses.
            </Empty>
          }
          summary={pluralize(data.length, 'member')}
          page={page}
          href={urlWith(path, { search })}
          next={next_before}
        >
          <Table
            id="members"
            live="members"
            bleed
            caption="Members"
            columns={[
              { name: 'Name', classes: 'wide' },
              { name: 'Role' },
              { name: 'State', classes: 'wide-only' },
              { name: 'Since', classes: 'right wide-only' },
              ...(canChange ? [{ name: 'Actions', classes: 'right', isHidden: true }] : []),
            ]}
          >
            {data.map((member) => (
              <MemberRow page={page} member={member} canChange={canChange} />
            ))}
          </Table>
        </PagedList>
        {data.map((member) => canChange && mayGrant(page, member.role) && <MemberDialog page={page} member={member} />)}
      </>
    ),
  })
}

interface MemberRowProps {
  readonly page: WorkspacePage
  readonly member: ListedMember
  readonly canChange: boolean
}

/** `No password yet · link expires in 6 days` */
function stateOf({ invitation, disabled_at }: ListedMember, now: number): string {
  if (disabled_at !== null) return 'Disabled'
  if (invitation === null) return 'Active'
  const { expires_at } = invitation
  if (expires_at === null) return 'No password yet · no link'
  return `No password yet · link expires in ${daysOrLess(Date.parse(expires_at) - now)}`
}

const dayMs = 24 * 3_600_000

const daysOrLess = (ms: number) => (ms < 2 * dayMs ? duration(ms) : pluralize(Math.floor(ms / dayMs), 'day'))

function MemberRow({ page, member, canChange }: MemberRowProps) {
  const { id, name, email, created_at } = member
  const state = stateOf(member, page.now)
  return (
    <tr id={`member-${id}`}>
      <td class="wide">
        <div class="with-icon">
          <Person name={name} />
          <bdi class="meta clip wide-only">{email}</bdi>
        </div>
        <div class="second clip" dir="auto">
          {state === 'Active' ? email : state}
        </div>
      </td>
      <td class="tight">{words(member.role)}</td>
      <td class="tight whole quiet wide-only">{state}</td>
      <td class="right meta wide-only">
        <Time at={created_at} />
      </td>
      {canChange && (
        <td class="right tight">
          {member.invitation !== null && page.can('owner') && <NewLink page={page} id={id} name={name} />}
          {mayGrant(page, member.role) && (
            <Button id={`open-member-${id}`} opens={`change-member-${id}`} variant="quiet" small>
              Change
            </Button>
          )}
        </td>
      )}
    </tr>
  )
}

const NewLink = ({ page, id, name }: { readonly page: WorkspacePage; readonly id: number; readonly name: string }) => (
  <form method="post" action={page.link(`/settings/members/${id}/invitation`)} class="inline above">
    <button id={`new-link-${id}`} type="submit" class="button quiet small" aria-label={`New link for ${name}`}>
      New link
    </button>
  </form>
)

const roleHints: Readonly<Record<MemberRole, string>> = {
  owner: 'Everything admins can do, plus managing owners',
  admin: 'Settings, members, tokens, webhooks, and rules',
  member: 'Edits tickets, tasks, projects, and leads',
  viewer: 'Read-only, without settings',
}

/** Only owners grant the owner role, and change or remove owners. */
const mayGrant = (page: WorkspacePage, wanted: MemberRole): boolean => wanted !== 'owner' || page.can('owner')

const roleOptions = (page: WorkspacePage) =>
  memberRoles
    .filter((value) => mayGrant(page, value))
    .map((value) => ({ value, label: words(value), hint: roleHints[value] }))

function MemberDialog({ page, member }: { readonly page: WorkspacePage; readonly member: Member }) {
  const own = page.link(`/settings/members/${member.id}`)
  return (
    <Dialog id={`change-member-${member.id}`} title={member.name}>
      <form method="post" action={own} class="form">
        <input type="hidden" name="version" value={member.role} />
        <label class="field">
          Role
          <select class="select" name="role">
            {roleOptions(page).map(({ value, label, hint }) => (
              <option value={value} selected={value === member.role}>
                {label}: {hint.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        <Button variant="primary">Save</Button>
      </form>
      <div class="section">
        {member.id === page.person.id ? (
          <Confirm
            id="leave"
            button={{ variant: 'danger', children: 'Leave this workspace…' }}
            title={`Leave ${page.workspace.name}?`}
            action={`${own}/remove`}
            confirmLabel="Leave workspace"
          >
            You lose your role in this workspace, and your tokens in it are revoked. Another administrator of the
            workspace can add you again.
          </Confirm>
        ) : (
          <>
            <p>
              Removing <bdi>{member.name}</bdi> revokes their tokens in this workspace.
            </p>
            <ActionButton action={`${own}/remove`} variant="danger">
              Remove from workspace
            </ActionButton>
          </>
        )}
      </div>
    </Dialog>
  )
}

async function saveRole(page: WorkspacePage): Promise<PageResult> {
  const result = await changeRole(page, recordRef(page))
  const notice = result.ok ? `${result.data.name} now has the role ${result.data.role}` : refusalOf(result.form)
  return redirect(page.link('/settings/members'), notice)
}

async function removeMember(page: WorkspacePage): Promise<PageResult> {
  const result = await submit(page, page.admin.members.delete(recordRef(page)))
  if (!result.ok) return redirect(page.link('/settings/members'), refusalOf(result.form))
  // Their next workspace, or their account.
  if (result.data.id === page.person.id) return redirect(page.dashboard(''), `You have left ${page.workspace.name}`)
  return redirect(page.link('/settings/members'), 'Member removed')
}

async function renewInvitation(page: WorkspacePage): Promise<PageResult> {
  const member = await page.admin.members.get(recordRef(page))
  const result = await submit(page, page.admin.invitations.create(recordRef(page)))
  if (result.ok) return invitationPage(page, member, result.data)
  return redirect(page.link('/settings/members'), refusalOf(result.form))
}

function inviteForm(page: WorkspacePage, state: FormState): PageResult {
  const members = page.link('/settings/members')
  return formPage({
    title: 'Add member',
    intro: page.can('owner')
      ? 'You get a link for a new person, with which they choose a password.'
      : 'A new person gets a link from an owner, with which they choose a password.',
    crumbs: [...settingsCrumbs(page), { label: 'Members', href: members }],
    action: members,
    cancel: members,
    state,
    fields: (
      <>
        <TextField name="name" label="Name" autocomplete="off" state={state} autofocus />
        <TextField name="email" label="E-mail address" type="email" state={state} />
        <Choices name="role" label="Role" type="radio" options={roleOptions(page)} state={state} />
      </>
    ),
    submitLabel: 'Add member',
  })
}

async function addMember(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const call = page.admin.members.create(
    { workspace: page.workspace.id },
    { name: form.text('name'), email: form.text('email'), role: form.text('role') as MemberRole }, // validated by the server
    idempotency(form),
  )
  const result = await submit(page, call)
  if (!result.ok) return inviteForm(page, result.form)
  const added = redirect(page.link('/settings/members'), `${result.data.name} is now a member`)
  if (!page.can('owner')) return added
  const at = { workspace: page.workspace.id, id: result.data.id }
  const invited = await submit(page, page.admin.invitations.create(at))
  return invited.ok ? invitationPage(page, result.data, invited.data) : added
}

function invitationPage(page: WorkspacePage, member: Member, { link }: OneTimeLink): PageResult {
  return show({
    title: member.name,
    status: 201,
    crumbs: [...settingsCrumbs(page), { label: 'Members', href: page.link('/settings/members') }],
    body: (
      <>
        <PageHead title={`Invite ${member.name}`}>With this link, they choose a password.</PageHead>
        <div class="stack form">
          <PasswordLinkCard name={member.name} link={`${page.serverUrl}${link}`} lifetime="seven days" />
          <div>
            <LinkButton href={page.link('/settings/members')}>All members</LinkButton>
          </div>
        </div>
      </>
    ),
  })
}
