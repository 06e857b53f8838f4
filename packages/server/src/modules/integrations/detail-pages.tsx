import type { ErrorLevel } from '@service/contract'
import { inboundBasePath } from '@service/contract'
import type { IntegrationName, IntegrationPatch } from '@service/contract/admin/integration-input'
import type { Integration } from '@service/contract/admin/integrations'
import { errorLevels } from '@service/contract/values'
import { Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Choices, Form, FormFoot, SelectField } from '../../ui/components/form.tsx'
import { IntegrationCards } from '../../ui/components/integration-card.tsx'
import { Banner } from '../../ui/components/notice.tsx'
import { words } from '../../ui/format.ts'
import { type FormState, freshForm, ifUnchanged, submit } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { integrationsByName, StateBadge } from './list-pages.tsx'
import { samplesOf } from './samples.ts'

const placeOf = (page: WorkspacePage) => ({
  workspace: page.workspace.id,
  integration: page.params['integration'] as IntegrationName, // the server says when there is none of that name
})

export const integrationDetail = (page: WorkspacePage): Promise<PageResult> => detail(page, {})

/** Makes a secret; the answer is the page that shows it. */
export async function issueSecret(page: WorkspacePage): Promise<PageResult> {
  const { secret } = await page.admin.integrations.rotateSecret(placeOf(page))
  return detail(page, { secret })
}

export async function changeSettings(page: WorkspacePage): Promise<PageResult> {
  const place = placeOf(page)
  const result = await submit(
    page,
    page.admin.integrations.update(place, patchOf(page, place.integration), ifUnchanged(page.form)),
  )
  if (!result.ok) return detail(page, { state: result.form })
  const { secret } = result.data
  if (secret !== undefined) return detail(page, { secret })
  const { title } = integrationsByName[place.integration]
  return redirect(page.link(`/integrations/${place.integration}`), `${title} is saved`)
}

const isGit = (name: IntegrationName) => name !== 'errors' && name !== 'attendance'

function patchOf({ form }: WorkspacePage, name: IntegrationName): IntegrationPatch {
  const flags = form.list('flags')
  const enabled = flags.includes('enabled')
  if (name === 'attendance') return { enabled }
  if (isGit(name)) return { enabled, open_tickets: flags.includes('open_tickets') }
  // The server refuses a level that does not exist.
  const min_level = (form.text('min_level') || null) as ErrorLevel | null
  return { enabled, min_level, resolve_tickets: flags.includes('resolve_tickets') }
}

interface Given {
  readonly secret?: string
  readonly state?: FormState
}

const shownEvents = 8

async function detail(page: WorkspacePage, { secret, state }: Given): Promise<PageResult> {
  const place = placeOf(page)
  const { workspace } = place
  const { data: integration, meta } = await page.admin.integrations.get(place).withMeta()
  const { data: received } = await page.admin.inboundDeliveries.list(
    { workspace },
    { integration: integration.integration, limit: shownEvents },
  )
  const { title, about } = integrationsByName[integration.integration]
  const address = `${page.serverUrl}${inboundBasePath}/webhooks/${workspace}/${integration.integration}`
  const own = page.link(`/integrations/${integration.integration}`)
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
        <PageHead title={title} badge={badge}>
          {about}
        </PageHead>
        <div class="stack">
          {isGit(integration.integration) && isSetUp && !integration.has_secret && (
            <Banner tone="warn">Without a secret every request to the address is taken, whoever sends it.</Banner>
          )}
          <IntegrationCards
            address={address}
            secret={secret}
            hasSecret={integration.has_secret}
            isOn={integration.enabled && isSetUp}
            issue={own}
            samples={samplesOf(integration.integration, { serverUrl: page.serverUrl, workspace, address })}
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
                  action={`${own}/settings`}
                  integration={integration}
                  state={state ?? freshForm(valuesOf(integration))}
                  version={meta.headers['etag']}
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
    { value: 'enabled', label: 'Switched on', hint: 'Otherwise what is sent is answered with 404.' },
    isGit(integration) && { value: 'open_tickets', label: 'An issue that is opened becomes a ticket' },
    integration === 'errors' && {
      value: 'resolve_tickets',
      label: 'A report that an error is over resolves its ticket',
    },
  ].filter((flag) => flag !== false)
  return (
    <Form action={action} state={state} version={version}>
      <Choices name="flags" label="What happens" options={flags} state={state} />
      {integration === 'errors' && (
        <SelectField
          name="min_level"
          label="Tickets from this level on"
          options={[
            { value: '', label: 'No level set' },
            ...errorLevels.map((value) => ({ value, label: words(value) })),
          ]}
          state={state}
        />
      )}
      <FormFoot>
        <Button>Save</Button>
      </FormFoot>
    </Form>
  )
}
