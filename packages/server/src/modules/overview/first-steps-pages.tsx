import { apiBasePath, inboundBasePath } from '@service/contract'
import { Card } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** Something that a new workspace lacks. */
interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly text: string
  readonly path: string
  /** The line to paste, where there is one. */
  readonly line?: string
}

/** What to do first in a workspace; nothing once all of it is done, or for who may not do it. */
export async function findFirstSteps(page: WorkspacePage): Promise<readonly Step[]> {
  if (!page.can('admin')) return []
  const place = { workspace: page.workspace.id }
  const [tokens, activities, errors, webhooks] = await Promise.all([
    page.admin.tokens.list(place, { limit: 50 }),
    page.admin.activities.list(place, { limit: 1 }),
    page.admin.errorReports.list(place, { limit: 1 }),
    page.admin.webhooks.list(place, { limit: 1 }),
  ])
  const url = `${page.serverUrl}${apiBasePath}/workspaces/${page.workspace.id}/tickets`
  const steps: readonly Step[] = [
    {
      isDone: tokens.data.length > 0,
      title: 'Create an API token',
      text: 'Programs show it with each request.',
      path: '/tokens/new',
    },
    {
      isDone: tokens.data.some(({ last_used_at }) => last_used_at !== null),
      title: 'Send a first request',
      text: 'It opens a ticket.',
      path: '/tokens',
      line: `curl '${url}' -H "Authorization: Bearer $SERVICE_TOKEN" -H 'Content-Type: application/json' -d '{"title":"My first ticket"}'`,
    },
    {
      isDone: activities.data.length > 0,
      title: 'Connect a Git provider',
      text: `Pushes and issues come to ${inboundBasePath}/webhooks.`,
      path: '/integrations',
    },
    {
      isDone: errors.data.length > 0,
      title: 'Report an error',
      text: 'Errors of your applications open tickets, each kind once.',
      path: '/integrations',
    },
    {
      isDone: webhooks.data.length > 0,
      title: 'Subscribe to events',
      text: 'A webhook tells your program what happens here.',
      path: '/webhooks',
    },
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}

/** Once most is done, what happens in the workspace matters more. */
export const isUnderWay = (steps: readonly Step[]): boolean =>
  steps.filter(({ isDone }) => isDone).length > steps.length / 2

/** They tick themselves off: what has happened is found in the workspace. */
export function FirstSteps({ page, steps }: { readonly page: WorkspacePage; readonly steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <div id="first-steps" data-live="tokens activity errors webhooks">
      {steps.length > 0 && (
        <Card title="First steps" aside={<span class="quiet">{`${done} of ${steps.length}`}</span>}>
          <ol class="steps">
            {steps.map((step) => (
              <li class={step.isDone ? 'done' : undefined}>
                <Icon name={step.isDone ? 'circle-check' : 'chevron-right'} />
                <div>
                  {step.isDone ? <s>{step.title}</s> : <a href={page.link(step.path)}>{step.title}</a>}
                  <span class="sr">{step.isDone ? ' (done)' : ''}</span>
                  {!step.isDone && <p class="meta">{step.text}</p>}
                  {!step.isDone && step.line !== undefined && <code class="line">{step.line}</code>}
                </div>
              </li>
            ))}
          </ol>
        </Card>
      )}
    </div>
  )
}
