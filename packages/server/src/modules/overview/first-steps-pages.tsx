import { apiBasePath, inboundBasePath } from '@service/contract'
import { Card } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** A set-up step that the workspace has not completed. */
interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly text: string
  readonly path: string
  /** A command to paste, if any. */
  readonly line?: string
}

/** The open set-up steps of a workspace; empty when all are done or the reader may not do them. */
export async function findFirstSteps(page: WorkspacePage): Promise<readonly Step[]> {
  if (!page.can('admin')) return []
  const path = { workspace: page.workspace.id }
  const [tokens, activities, errors, webhooks] = await Promise.all([
    page.admin.tokens.list(path, { limit: 50 }),
    page.admin.activities.list(path, { limit: 1 }),
    page.admin.errorReports.list(path, { limit: 1 }),
    page.admin.webhooks.list(path, { limit: 1 }),
  ])
  const url = `${page.serverUrl}${apiBasePath}/workspaces/${page.workspace.id}/tickets`
  const steps: readonly Step[] = [
    {
      isDone: tokens.data.length > 0,
      title: 'Create an API token',
      text: 'Programs send it with each request.',
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
      text: `Git hosts send pushes and issues to ${inboundBasePath}/webhooks.`,
      path: '/integrations',
    },
    {
      isDone: errors.data.length > 0,
      title: 'Report an error',
      text: 'Each distinct error of your applications opens one ticket.',
      path: '/integrations',
    },
    {
      isDone: webhooks.data.length > 0,
      title: 'Subscribe to events',
      text: 'A webhook notifies your program of changes here.',
      path: '/webhooks',
    },
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}

/** After most steps are done, the overview shows activity first. */
export const areMostlyDone = (steps: readonly Step[]): boolean =>
  steps.filter(({ isDone }) => isDone).length > steps.length / 2

/** Steps complete themselves when the workspace contains the matching data. */
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
