import { apiBasePath, type Scope, scopes } from '@service/contract'
import type { ApiToken, ListedMember, NewApiToken } from '@service/contract/admin/people'
import { Badge, Tag } from '../../ui/components/badge.tsx'
import { LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Languages, Secret } from '../../ui/components/code.tsx'
import { Confirm } from '../../ui/components/dialog.tsx'
import { Choices, namedOptions, SelectField, TextField } from '../../ui/components/form.tsx'
import { formPage } from '../../ui/components/form-page.tsx'
import { Banner, Empty } from '../../ui/components/notice.tsx'
import { Person } from '../../ui/components/person.tsx'
import { PagedList, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { pluralize } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, numberOrUndefined, submit, textOrUndefined } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'

export const tokenPages: WorkspacePages = [
  { method: 'GET', path: '/tokens', role: 'admin', handle: listTokens },
  {
    method: 'GET',
    path: '/tokens/new',
    role: 'admin',
    creates: 'API token',
    handle: (page) => newToken(page, newForm({ expires_in: '90' })),
  },
  { method: 'POST', path: '/tokens', role: 'admin', handle: createToken },
  { method: 'POST', path: '/tokens/{id}/revoke', role: 'admin', handle: revokeToken },
]

const dayMs = 86_400_000

/** Days until a new token expires. */
const lifetimes = ['30', '90', '365']

const crumbs = (page: WorkspacePage) => [{ label: 'API tokens', href: page.link('/tokens') }]

async function listTokens(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const [tokens, members] = await Promise.all([
    page.admin.tokens.list({ workspace }, { before: numberOrUndefined(page.query, 'before') }),
    listNames(page, 'members'),
  ])
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const create = (
    <LinkButton href={page.link('/tokens/new')} variant="primary" icon="plus" shortcut="c">
      New token
    </LinkButton>
  )
  const { data, next_before } = tokens
  return show({
    title: 'API tokens',
    live: true,
    action: create,
    body: (
      <>
        <PageHead title="API tokens">
          Programs send a token with each request. It determines the user they act as and their scopes.
        </PageHead>
        <PagedList
          isEmpty={data.length === 0}
          empty={
            <Empty icon="key-round" title="No tokens yet" actions={create}>
              Create one per program, with only the scopes it needs.
            </Empty>
          }
          page={page}
          href={page.link('/tokens')}
          next={next_before}
          summary={pluralize(data.length, 'token')}
        >
          <Table
            id="tokens"
            live="tokens"
            bleed
            caption="API tokens"
            columns={[
              { name: 'Name', classes: 'wide' },
              { name: 'State' },
              { name: 'Acts as', classes: 'wide-only' },
              { name: 'Scopes', classes: 'wide-only' },
              { name: 'Last used', classes: 'right wide-only' },
              { name: 'Actions', classes: 'right', isHidden: true },
            ]}
          >
            {data.map((token) => (
              <TokenRow page={page} token={token} owner={names.get(token.user_id)} />
            ))}
          </Table>
        </PagedList>
      </>
    ),
  })
}

function TokenRow({
  page,
  token,
  owner,
}: {
  readonly page: WorkspacePage
  readonly token: ApiToken
  readonly owner: string | undefined
}) {
  const state = stateOf(token, page.now)
  return (
    <tr>
      <td class="wide">
        <div class="clip" title={token.name}>
          <strong dir="auto">{token.name}</strong> <code class="quiet">…{token.hint}</code>
        </div>
        <div class="second clip">
          {scopeCount(token)} · <bdi>{owner}</bdi>
        </div>
      </td>
      <td class="tight">
        <Badge tone={state.tone}>{state.word}</Badge>
      </td>
      <td class="wide-only">
        <Person name={owner} empty="Former member" />
      </td>
      <td class="wide-only tight">
        {token.scopes.slice(0, 2).map((scope) => (
          <Tag>{scope}</Tag>
        ))}
        {token.scopes.length > 2 && <span class="meta"> +{token.scopes.length - 2}</span>}
      </td>
      <td class="right meta wide-only">
        <Time at={token.last_used_at} />
      </td>
      <td class="right tight">{token.revoked_at === null && <Revoke page={page} token={token} />}</td>
    </tr>
  )
}

const isOfDisabled = ({ effective_scopes, limited_by_role }: ApiToken) =>
  limited_by_role === null && effective_scopes.length === 0

const scopeCount = ({ scopes, effective_scopes, limited_by_role }: ApiToken) =>
  limited_by_role === null
    ? pluralize(scopes.length, 'scope')
    : `${effective_scopes.length} of ${pluralize(scopes.length, 'scope')}, because ${limited_by_role} is their role`

function stateOf(token: ApiToken, now: number) {
  const { revoked_at, expires_at, limited_by_role } = token
  if (revoked_at !== null) return { tone: 'mute', word: 'Revoked' } as const
  if (expires_at !== null && Date.parse(expires_at) <= now) return { tone: 'mute', word: 'Expired' } as const
  if (isOfDisabled(token)) return { tone: 'warn', word: 'Person disabled' } as const
  if (limited_by_role !== null) return { tone: 'warn', word: 'Limited by role' } as const
  return { tone: 'ok', word: 'Active' } as const
}

const Revoke = ({ page, token: { id, name } }: { readonly page: WorkspacePage; readonly token: ApiToken }) => (
  <Confirm
    id={`revoke-${id}`}
    button={{ variant: 'quiet', small: true, children: 'Revoke' }}
    title={`Revoke ${name}?`}
    action={page.link(`/tokens/${id}/revoke`)}
    confirmLabel="Revoke token"
  >
    Requests with this token fail immediately. This cannot be undone.
  </Confirm>
)

async function newToken(page: WorkspacePage, state: FormState): Promise<PageResult> {
  const members = await page.admin.members.list({ workspace: page.workspace.id }, { limit: 200 }).all()
  const tokens = page.link('/tokens')
  return formPage({
    title: 'New token',
    intro: 'The token is shown once, right after creation.',
    crumbs: crumbs(page),
    action: tokens,
    cancel: tokens,
    state,
    fields: (
      <>
        <TextField name="name" label="Name" hint="Its purpose, such as “Nightly import”." state={state} autofocus />
        <SelectField name="user_id" label="Acts as" options={toOwnerOptions(page, members)} state={state} />
        <Choices
          name="scopes"
          label="Scopes"
          hint="A scope works only while the role of the person allows it."
          options={scopeOptions}
          state={state}
        />
        <input type="hidden" name="opened_at" value={Math.trunc(page.now)} />
        <SelectField
          name="expires_in"
          label="Expires"
          options={[
            ...lifetimes.map((days) => ({ value: days, label: `In ${days} days` })),
            { value: '', label: 'Never' },
          ]}
          state={state}
        />
      </>
    ),
    submitLabel: 'Create token',
  })
}

const scopeOptions = Object.entries(scopes).map(([value, { grants, role }]) => ({
  value,
  label: value,
  hint: role === 'viewer' ? grants : `${grants}; needs the role ${role}`,
}))

/** The creator comes first if they are a member. No one creates tokens for people with a higher role. */
function toOwnerOptions({ person, can }: WorkspacePage, members: readonly ListedMember[]) {
  const own = members.filter(({ id }) => id === person.id)
  const others = members.filter(({ id, role }) => id !== person.id && can(role))
  return namedOptions([...own, ...others])
}

async function createToken(page: WorkspacePage): Promise<PageResult> {
  const { form } = page
  const days = numberOrUndefined(form, 'expires_in')
  // The same form has the same expiry each time it is sent, so that its idempotency key stays valid.
  const openedAt = numberOrUndefined(form, 'opened_at') ?? page.now
  const call = page.admin.tokens.create(
    { workspace: page.workspace.id },
    {
      user_id: numberOrUndefined(form, 'user_id'),
      name: textOrUndefined(form, 'name'),
      scopes: form.list('scopes') as Scope[], // the server rejects unknown scopes
      expires_at: days === undefined ? null : toInstant(openedAt + days * dayMs),
    },
    idempotency(form),
  )
  const result = await submit(page, call)
  return result.ok ? createdPage(page, result.data) : newToken(page, result.form)
}

/** A number that is no time is refused by the API. */
function toInstant(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString()
}

function createdPage(page: WorkspacePage, token: NewApiToken): PageResult {
  return show({
    title: token.name,
    status: 201,
    crumbs: crumbs(page),
    body: (
      <>
        <PageHead title={`${token.name} is ready`}>Send a first request with it.</PageHead>
        <div class="stack form">
          {token.limited_by_role !== null && (
            <Banner tone="warn">
              Limited by role: the role of the person is {token.limited_by_role}, which allows{' '}
              {token.effective_scopes.join(', ') || 'none of the scopes'}.
            </Banner>
          )}
          <Secret id="token" value={token.token} label="Token" />
          <Languages id="sample" samples={requestSamples({ page, token })} />
          <Facts
            facts={[
              ['Scopes', token.scopes.map((scope) => <Tag>{scope}</Tag>)],
              ['Expires', token.expires_at === null ? 'Never' : <Time at={token.expires_at} exact />],
            ]}
          />
          <div>
            <LinkButton href={page.link('/tokens')}>All tokens</LinkButton>
          </div>
        </div>
      </>
    ),
  })
}

async function revokeToken(page: WorkspacePage): Promise<PageResult> {
  const token = await page.admin.tokens.revoke({ workspace: page.workspace.id, id: Number(page.params['id']) })
  return redirect(page.link('/tokens'), `${token.name} is revoked`)
}

/** Code samples for a first request. They read the token from a variable, so that it is not in source code. */
function requestSamples({ page, token }: { readonly page: WorkspacePage; readonly token: NewApiToken }) {
  const { id } = page.workspace
  const baseUrl = `${page.serverUrl}${apiBasePath}`
  const listsTickets = token.scopes.includes('tickets:read')
  return [
    {
      language: 'curl',
      code: [
        `export SERVICE_TOKEN='${token.token}'`,
        `curl '${baseUrl}/workspaces/${id}/tickets' \\`,
        `  -H "Authorization: Bearer $SERVICE_TOKEN" -H 'Accept: application/json'`,
      ].join('\n'),
    },
    {
      language: 'TypeScript',
      code: [
        `import { createClient } from '@service/client'`,
        '',
        `const client = createClient({`,
        `  baseUrl: '${baseUrl}',`,
        `  workspace: ${id},`,
        `  token: process.env.SERVICE_TOKEN,`,
        `})`,
        listsTickets ? `console.log(await client.tickets.list())` : `await client.tickets.create({ title: 'First' })`,
      ].join('\n'),
    },
    {
      language: 'Python',
      code: [
        `import os, requests`,
        '',
        `answer = requests.get(`,
        `    '${baseUrl}/workspaces/${id}/tickets',`,
        `    headers={'Authorization': f"Bearer {os.environ['SERVICE_TOKEN']}", 'Accept': 'application/json'},`,
        `)`,
        `print(answer.status_code, answer.json())`,
      ].join('\n'),
    },
  ]
}
