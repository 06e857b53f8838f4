import { inboundBasePath, type Lead, webhookSecretHeader } from '@service/contract'
import type { LeadSourceState } from '@service/contract/admin/crm'
import { signsItsDeliveries } from '@service/intake/leads/platform-signature'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, Button } from '../../ui/components/button.tsx'
import { PageHead } from '../../ui/components/card.tsx'
import { Form, TextField } from '../../ui/components/form.tsx'
import { IntegrationCards } from '../../ui/components/integration-card.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Tabs } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { type FormState, idempotency, newForm, submit } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { sourceName } from '../integrations/source-name.ts'

export const leadSourcePages: WorkspacePages = [
  { method: 'GET', path: '/lead-sources', role: 'admin', handle: sourceList },
  { method: 'GET', path: '/lead-sources/{source}', role: 'admin', handle: sourceDetail },
  { method: 'POST', path: '/lead-sources/{source}', role: 'admin', handle: switchSource },
  { method: 'POST', path: '/lead-sources/{source}/secret', role: 'admin', handle: issueSecret },
  { method: 'POST', path: '/lead-sources/{source}/platform-secret', role: 'admin', handle: setPlatformSecret },
]

const sourceAt = ({ workspace, params }: WorkspacePage) => ({
  workspace: workspace.id,
  source: params['source'] ?? '',
})

function State({ state: { enabled, has_secret } }: { readonly state: LeadSourceState }) {
  if (!has_secret) return <Badge tone="mute">Not connected</Badge>
  return enabled ? <Badge tone="ok">On</Badge> : <Badge tone="warn">Off</Badge>
}

async function sourceList(page: WorkspacePage): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const { data } = await page.admin.leadSources.list(at)
  const latest = await Promise.all(
    data.map(async ({ source }) => (await page.admin.leads.list(at, { source, limit: 1 })).data[0]?.created_at),
  )
  return show({
    title: 'Lead sources',
    live: true,
    body: (
      <>
        <PageHead title="Lead sources">Forms and platforms that send leads to this workspace.</PageHead>
        <Table
          id="lead-sources"
          live="leads"
          bleed
          caption="Lead sources"
          columns={[{ name: 'Source', classes: 'wide' }, { name: 'State' }, { name: 'Newest lead', classes: 'right' }]}
        >
          {data.map((state, index) => (
            <tr>
              <td class="wide">
                <RowLink id={`open-${state.source}`} href={page.link(`/lead-sources/${state.source}`)}>
                  {sourceName(state.source)}
                </RowLink>
              </td>
              <td class="tight">
                <State state={state} />
              </td>
              <td class="right meta tight">
                <Time at={latest[index]} />
              </td>
            </tr>
          ))}
        </Table>
      </>
    ),
  })
}

async function sourceDetail(page: WorkspacePage): Promise<PageResult> {
  return sourcePage(page, await page.admin.leadSources.get(sourceAt(page)))
}

async function sourcePage(
  page: WorkspacePage,
  state: LeadSourceState,
  { secret, form = newForm() }: { readonly secret?: string; readonly form?: FormState } = {},
): Promise<PageResult> {
  const { source, has_secret } = state
  const address = `${page.serverUrl}${inboundBasePath}/webhooks/${page.workspace.id}/leads/${source}`
  const leads = await page.admin.leads.list({ workspace: page.workspace.id }, { source, limit: 5 })
  return show({
    title: sourceName(source),
    live: secret === undefined,
    status: form.status,
    crumbs: [{ label: 'Lead sources', href: page.link('/lead-sources') }],
    body: (
      <>
        <Tabs
          label="Integration pages"
          tabs={[
            { label: 'Connect', href: page.link(`/lead-sources/${source}`), isCurrent: true },
            { label: 'Mapping', href: page.link(`/lead-sources/${source}/mapping`), isCurrent: false },
          ]}
        />
        <PageHead
          title={sourceName(source)}
          badge={<State state={state} />}
          actions={has_secret && <Switch page={page} state={state} />}
        >
          {getHint(source)}
        </PageHead>
        <IntegrationCards
          address={address}
          secret={secret}
          hasSecret={has_secret}
          isOn={has_secret}
          issue={page.link(`/lead-sources/${source}/secret`)}
          samples={hasForm(source) ? leadSamples(address) : []}
          received={leads.data.map(toReceived)}
          live="leads"
          canSetUp
          {...(signsItsDeliveries(source)
            ? { options: <PlatformSecret page={page} source={source} form={form} /> }
            : {})}
        />
      </>
    ),
  })
}

const toReceived = ({ created_at, name, company }: Lead) => ({
  at: created_at,
  summary: [name, company].filter(Boolean).join(', '),
})

/** The other sources are platforms that send leads themselves. */
const hasForm = (source: string) => source !== 'google_ads' && !signsItsDeliveries(source)

/** How a source authenticates its leads. */
function getHint(source: string): string {
  if (signsItsDeliveries(source)) return `${sourceName(source)} signs each lead with your app secret.`
  if (source === 'google_ads') return 'Google sends the secret as the webhook key.'
  return 'Keep the secret on your server. The form posts to your server, which forwards the lead.'
}

function Switch({
  page,
  state: { source, enabled },
}: {
  readonly page: WorkspacePage
  readonly state: LeadSourceState
}) {
  return (
    <ActionButton
      id="switch-source"
      action={page.link(`/lead-sources/${source}`)}
      fields={{ enabled: enabled ? 'no' : 'yes' }}
      icon={enabled ? 'pause' : 'play'}
    >
      {enabled ? 'Turn off' : 'Turn on'}
    </ActionButton>
  )
}

function PlatformSecret({
  page,
  source,
  form,
}: {
  readonly page: WorkspacePage
  readonly source: string
  readonly form: FormState
}) {
  return (
    <Form action={page.link(`/lead-sources/${source}/platform-secret`)} state={form}>
      <TextField
        name="secret"
        label={`Secret of ${sourceName(source)}`}
        hint="From the developer settings of the platform. Replaces the current secret."
        type="password"
        state={form}
      />
      <div>
        <Button>Save secret</Button>
      </div>
    </Form>
  )
}

async function switchSource(page: WorkspacePage): Promise<PageResult> {
  const enabled = page.form.text('enabled') === 'yes'
  const { secret, ...state } = await page.admin.leadSources.update(sourceAt(page), { enabled })
  if (secret !== undefined) return sourcePage(page, state, { secret })
  const { source } = state
  return redirect(page.link(`/lead-sources/${source}`), `${sourceName(source)} is ${enabled ? 'on' : 'off'}`)
}

/** The secret is shown only in this response. */
async function issueSecret(page: WorkspacePage): Promise<PageResult> {
  const { secret, ...state } = await page.admin.leadSources.rotateSecret(sourceAt(page), idempotency(page.form))
  return sourcePage(page, state, { secret })
}

async function setPlatformSecret(page: WorkspacePage): Promise<PageResult> {
  const at = sourceAt(page)
  const result = await submit(page, page.admin.leadSources.update(at, { secret: page.form.text('secret') }))
  if (result.ok) return redirect(page.link(`/lead-sources/${at.source}`), 'Secret saved')
  return sourcePage(page, await page.admin.leadSources.get(at), { form: result.form })
}

/** A form to paste and server code that forwards it. The secret is read from a variable. */
const leadSamples = (url: string) => [
  {
    language: 'Form',
    code: [
      `<form method="post" action="/contact">`,
      `  <label>Name <input name="name" required autocomplete="name"></label>`,
      `  <label>E-mail <input name="email" type="email" autocomplete="email"></label>`,
      `  <label>Phone <input name="phone" type="tel" autocomplete="tel"></label>`,
      `  <label>Company <input name="company" autocomplete="organization"></label>`,
      `  <label>Message <textarea name="message"></textarea></label>`,
      `  <button>Send</button>`,
      `</form>`,
    ].join('\n'),
  },
  {
    language: 'curl',
    code: [
      `curl '${url}' \\`,
      `  -H "${webhookSecretHeader}: $LEAD_SECRET" -H 'Content-Type: application/json' \\`,
      `  -d '{"name":"Ada Obi","email":"ada@example.com","company":"Northwind","message":"A demo, please"}'`,
    ].join('\n'),
  },
  {
    language: 'TypeScript',
    code: [
      `// Forwards the form data from your server`,
      `export async function passOnLead(form: FormData) {`,
      `  return fetch('${url}', {`,
      `    method: 'POST',`,
      `    headers: { '${webhookSecretHeader}': process.env.LEAD_SECRET, 'Content-Type': 'application/json' },`,
      `    body: JSON.stringify(Object.fromEntries(form)),`,
      `  })`,
      `}`,
    ].join('\n'),
  },
  {
    language: 'Python',
    code: [
      `import os, requests`,
      ``,
      `def pass_on_lead(form):`,
      `    return requests.post(`,
      `        '${url}',`,
      `        headers={'${webhookSecretHeader}': os.environ['LEAD_SECRET']},`,
      `        json=dict(form),`,
      `    )`,
    ].join('\n'),
  },
]
