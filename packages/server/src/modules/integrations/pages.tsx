import { type ErrorLevel, inboundBasePath } from '@service/contract'
import type { InboundDelivery } from '@service/contract/admin/inbound-deliveries'
import type { IntegrationPatch } from '@service/contract/admin/integration-input'
import type { Integration } from '@service/contract/admin/integrations'
import type { IntegrationName } from '@service/contract/integration-names'
import { errorLevels } from '@service/contract/values'
import { Badge } from '../../ui/components/badge.tsx'
import { Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Choices, Form, FormFoot, SelectField } from '../../ui/components/form.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { IntegrationCards } from '../../ui/components/integration-card.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Time } from '../../ui/components/time.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, idempotency, newForm, submit } from '../../ui/forms.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { ifUnchanged, readVersioned } from '../../ui/versions.ts'
import { MappingTabs, mappingPages } from './mapping-pages.tsx'
import { createSamples } from './samples.ts'

const role = 'admin'

async function integrationList(page: WorkspacePage): Promise<PageResult> {
  const workspace = page.workspace.id
  const { data } = await page.admin.integrations.list({ workspace })
  const newest = await Promise.all(data.map(({ integration }) => findNewest(page, integration)))
  return show({
    title: 'Integrations',
    live: true,
    body: (
      <>
        <PageHead title="Integrations">Services that send data to this workspace.</PageHead>
        <Table
          id="integrations"
          live="integrations inbound"
          bleed
          caption="Integrations"
          columns={[
            { name: 'Integration', classes: 'wide' },
            { name: 'State' },
            { name: 'Last event', classes: 'right' },
          ]}
        >
          {data.map((integration, index) => (
            <IntegrationRow page={page} integration={integration} newest={newest[index]} />
          ))}
        </Table>
        <p class="pager meta">
          <span>
            Leads have their own sources, and devices have their own secrets. For outgoing events, see{' '}
            <a href={page.link('/webhooks')}>Webhooks</a>.
          </span>
        </p>
      </>
    ),
  })
}

async function findNewest(page: WorkspacePage, integration: IntegrationName): Promise<InboundDelivery | undefined> {
  const { data } = await page.admin.inboundDeliveries.list({ workspace: page.workspace.id }, { integration, limit: 1 })
  return data[0]
}

interface RowProps {
  readonly page: WorkspacePage
  readonly integration: Integration
  readonly newest: InboundDelivery | undefined
}

function IntegrationRow({ page, integration: { integration, enabled, updated_at }, newest }: RowProps) {
  const { title, icon, about } = integrationsByName[integration]
  return (
    <tr>
      <td class="wide">
        <div class="with-icon">
          <Icon name={icon} />
          <RowLink id={`open-${integration}`} href={page.link(`/integrations/${integration}`)}>
            {title}
          </RowLink>
          <span class="meta wide-only clip">{about}</span>
        </div>
      </td>
      <td class="tight">
        <StateBadge isEnabled={enabled} isSetUp={updated_at !== null} hasReceived={newest !== undefined} />
      </td>
      <td class="right meta">
        <Time at={newest?.received_at} />
      </td>
    </tr>
  )
}

interface BadgeProps {
  readonly isEnabled: boolean
  readonly isSetUp: boolean
  readonly hasReceived: boolean
}

function StateBadge({ isEnabled, isSetUp, hasReceived }: BadgeProps) {
  if (!isSetUp) return <Badge tone="mute">Not set up</Badge>
  if (!isEnabled) return <Badge tone="mute">Off</Badge>
  return hasReceived ? <Badge tone="ok">Connected</Badge> : <Badge tone="info">Waiting</Badge>
}

interface About {
  readonly title: string
  readonly icon: IconName
  /** A one-sentence description. */
  readonly about: string
}

/** Display names of the integrations. */
const integrationsByName: Readonly<Record<IntegrationName, About>> = {
  errors: {
    title: 'Error monitor',
    icon: 'bug',
    about: 'Applications report errors here; each distinct error opens one ticket.',
  },
  attendance: {
    title: 'Attendance',
    icon: 'fingerprint',
    about: 'Terminals and door readers send employee punches.',
  },
  github: { title: 'GitHub', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
  gitlab: { title: 'GitLab', icon: 'git-branch', about: 'Pushes, merge requests and issues of projects.' },
  bitbucket: { title: 'Bitbucket', icon: 'git-branch', about: 'Pushes, pull requests and issues of repositories.' },
}

const toRef = (page: WorkspacePage) => ({
  workspace: page.workspace.id,
  integration: page.params['integration'] as IntegrationName, // the server rejects unknown names
})

const integrationDetail = (page: WorkspacePage): Promise<PageResult> => detail(page, {})

/** Issues a secret and returns the page that shows it. */
async function issueSecret(page: WorkspacePage): Promise<PageResult> {
  const { secret } = await page.admin.integrations.rotateSecret(toRef(page), idempotency(page.form))
  return detail(page, { secret })
}

async function changeSettings(page: WorkspacePage): Promise<PageResult> {
  const ref = toRef(page)
  const result = await submit(
    page,
    page.admin.integrations.update(ref, readPatch(page, ref.integration), ifUnchanged(page.form)),
  )
  if (!result.ok) return detail(page, { state: result.form })
  const { secret } = result.data
  if (secret !== undefined) return detail(page, { secret })
  const { title } = integrationsByName[ref.integration]
  return redirect(page.link(`/integrations/${ref.integration}`), `${title} is saved`)
}

const isGit = (name: IntegrationName) => name !== 'errors' && name !== 'attendance'

function readPatch({ form }: WorkspacePage, name: IntegrationName): IntegrationPatch {
  const flags = form.list('flags')
  const enabled = flags.includes('enabled')
  if (name === 'attendance') return { enabled }
  if (isGit(name)) return { enabled, open_tickets: flags.includes('open_tickets') }
  // The server rejects unknown levels.
  const min_level = (form.text('min_level') || null) as ErrorLevel | null
  return { enabled, min_level, resolve_tickets: flags.includes('resolve_tickets') }
}

interface DetailOptions {
  readonly secret?: string
  readonly state?: FormState
}

const shownEvents = 8

async function detail(page: WorkspacePage, { secret, state }: DetailOptions): Promise<PageResult> {
  const ref = toRef(page)
  const { workspace } = ref
  const { data: integration, version } = await readVersioned(page.admin.integrations.get(ref))
  const { data: received } = await page.admin.inboundDeliveries.list(
    { workspace },
    { integration: integration.integration, limit: shownEvents },
  )
  const { title, about } = integrationsByName[integration.integration]
  const address = `${page.serverUrl}${inboundBasePath}/webhooks/${workspace}/${integration.integration}`
  const path = page.link(`/integrations/${integration.integration}`)
  const isSetUp = integration.updated_at !== null
  const badge = (
    <span id="integration-state" class="row" data-live="integrations inbound">
      <StateBadge isEnabled={integration.enabled} isSetUp={isSetUp} hasReceived={received.length > 0} />
    </span>
  )
  return show({
    title,
    live: true,
    status: state?.status ?? 200,
    crumbs: [{ label: 'Integrations', href: page.link('/integrations') }],
    body: (
      <>
        {!isGit(integration.integration) && <MappingTabs href={path} />}
        <PageHead title={title} badge={badge}>
          {about}
        </PageHead>
        <div class="stack">
          {isGit(integration.integration) && isSetUp && !integration.has_secret && (
            <Banner tone="warn">Without a secret, this address accepts requests from any sender.</Banner>
          )}
          <IntegrationCards
            address={address}
            secret={secret}
            hasSecret={integration.has_secret}
            isOn={integration.enabled && isSetUp}
            issue={path}
            samples={createSamples(integration.integration, { serverUrl: page.serverUrl, workspace, address })}
            received={received.map(({ received_at, summary, status }) => ({
              at: received_at,
              summary,
              isRefused: status >= 400,
            }))}
            live="inbound"
            canSetUp={page.can('admin')}
            options={
              isSetUp && (
                <Options
                  action={`${path}/settings`}
                  integration={integration}
                  state={state ?? newForm(valuesOf(integration))}
                  version={version}
                />
              )
            }
          />
        </div>
      </>
    ),
  })
}

const valuesOf = ({ enabled, open_tickets, resolve_tickets, min_level }: Integration) => ({
  flags: [enabled && 'enabled', open_tickets && 'open_tickets', resolve_tickets && 'resolve_tickets'].filter(
    (flag) => flag !== false,
  ),
  min_level,
})

interface OptionsProps {
  readonly action: string
  readonly integration: Integration
  readonly state: FormState
  readonly version: string | undefined
}

function Options({ action, integration: { integration }, state, version }: OptionsProps) {
  const flags = [
    { value: 'enabled', label: 'Enabled', hint: 'While disabled, requests get a 404 response.' },
    isGit(integration) && { value: 'open_tickets', label: 'Open a ticket for each new issue' },
    integration === 'errors' && {
      value: 'resolve_tickets',
      label: 'Resolve the ticket when a recovery is reported',
    },
  ].filter((flag) => flag !== false)
  return (
    <Form action={action} state={state} version={version}>
      <Choices name="flags" label="What happens" options={flags} state={state} />
      {integration === 'errors' && (
        <SelectField
          name="min_level"
          label="Minimum level for tickets"
          options={[{ value: '', label: 'Not set' }, ...errorLevels.map((value) => ({ value, label: words(value) }))]}
          state={state}
        />
      )}
      <FormFoot>
        <Button>Save</Button>
      </FormFoot>
    </Form>
  )
}

export const integrationPages: WorkspacePages = [
  ...mappingPages,
  { method: 'GET', path: '/integrations', role, handle: integrationList },
  { method: 'GET', path: '/integrations/{integration}', role, handle: integrationDetail },
  { method: 'POST', path: '/integrations/{integration}', role, handle: issueSecret },
  { method: 'POST', path: '/integrations/{integration}/settings', role, handle: changeSettings },
]
