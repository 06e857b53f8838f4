import { type AdminRole, apiBasePath, inboundBasePath } from '@service/contract'
import { ActionButton } from '../../ui/components/button.tsx'
import { Card } from '../../ui/components/card.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { type PageResult, redirect, type WorkspacePage } from '../../ui/page-types.ts'

/** A step of a new workspace. It is done when the workspace contains what it leads to. */
interface Step {
  readonly isDone: boolean
  readonly title: string
  readonly text: string
  readonly path: string
  /** The lowest role that can take it, if its page opens for others too. */
  readonly role?: AdminRole
  /** A command to paste, if any. */
  readonly line?: string
}

interface Job {
  readonly name: string
  readonly steps: readonly Step[]
}

interface FirstStepsState {
  /** With the steps that the reader may take. Without jobs that are done. */
  readonly jobs: readonly Job[]
  /** Whether the workspace has nothing else to show. */
  readonly areAll: boolean
}

export async function findFirstSteps(page: WorkspacePage): Promise<FirstStepsState> {
  if (page.person.hidesFirstSteps) return { jobs: [], areAll: false }
  const found = await findData(page)
  const jobs = [supportJob(found), peopleJob(found), developerJob(page, found)]
    .map(({ name, steps }) => ({
      name,
      steps: steps.filter(({ path, role }) => page.has(path) && (role === undefined || page.can(role))),
    }))
    .filter(({ steps }) => steps.some(({ isDone }) => !isDone))
  const isEmpty = !Object.values({ ...found, hasColleagues: false, hasPolicies: false, hasTokens: false }).some(Boolean)
  return { jobs, areAll: jobs.length > 0 && isEmpty }
}

type Found = Awaited<ReturnType<typeof findData>>

async function findData({ admin, workspace, can }: WorkspacePage) {
  const path = { workspace: workspace.id }
  const one = { limit: 1 }
  const hasAny = ({ data }: { readonly data: readonly unknown[] }) => data.length > 0
  const noData = { data: [] }
  const canAdminister = can('admin')
  const [tokens, webhooks, members, policies, ...lists] = await Promise.all([
    canAdminister ? admin.tokens.list(path, { limit: 50 }) : noData,
    canAdminister ? admin.webhooks.list(path, one) : noData,
    admin.members.list(path, { limit: 2 }),
    admin.slaPolicies.list(path),
    admin.tickets.list(path, one),
    admin.employees.list(path, one),
    admin.devices.list(path, one),
    admin.punches.list(path, one),
    admin.activities.list(path, one),
    admin.errorReports.list(path, one),
  ])
  const [hasTickets, hasEmployees, hasDevices, hasPunches, hasActivities, hasErrors] = lists.map(hasAny)
  return {
    hasTickets,
    hasEmployees,
    hasDevices,
    hasPunches,
    hasActivities,
    hasErrors,
    hasColleagues: members.data.length > 1,
    hasPolicies: policies.data.some(({ resolution_minutes: minutes }) => minutes !== null),
    hasTokens: hasAny(tokens),
    hasRequests: tokens.data.some(({ last_used_at }) => last_used_at !== null),
    hasWebhooks: hasAny(webhooks),
  }
}

const supportJob = ({ hasTickets, hasColleagues, hasPolicies }: Found): Job => ({
  name: 'Support',
  steps: [
    {
      isDone: hasTickets === true,
      title: 'Open a ticket',
      text: 'Its page has tasks and comments.',
      path: '/tickets/new',
    },
    {
      isDone: hasColleagues,
      title: 'Add a colleague',
      text: 'They get a link to choose a password.',
      path: '/settings/members/new',
    },
    {
      isDone: hasPolicies,
      title: 'Set SLA targets',
      text: 'The overview shows the tickets that are at risk.',
      path: '/automation/sla',
      role: 'admin',
    },
  ],
})

const peopleJob = ({ hasEmployees, hasDevices, hasPunches }: Found): Job => ({
  name: 'People',
  steps: [
    {
      isDone: hasEmployees === true,
      title: 'Add an employee',
      text: 'Their code is the one that devices send.',
      path: '/employees/new',
    },
    {
      isDone: hasDevices === true,
      title: 'Connect a device',
      text: 'It sends a punch for each clock-in and clock-out.',
      path: '/attendance/devices/new',
    },
    {
      isDone: hasPunches === true,
      title: 'Record a punch',
      text: 'Attendance pairs punches into working hours.',
      path: '/attendance/punches/new',
    },
  ],
})

const developerJob = (page: WorkspacePage, found: Found): Job => ({
  name: 'Developers',
  steps: [
    {
      isDone: found.hasTokens,
      title: 'Create an API token',
      text: 'Programs send it with each request.',
      path: '/tokens/new',
    },
    {
      isDone: found.hasRequests,
      title: 'Send a first request',
      text: 'It opens a ticket.',
      path: '/tokens',
      line: `curl '${page.serverUrl}${apiBasePath}/workspaces/${page.workspace.id}/tickets' -H "Authorization: Bearer $SERVICE_TOKEN" -H 'Content-Type: application/json' -d '{"title":"My first ticket"}'`,
    },
    {
      isDone: found.hasActivities === true,
      title: 'Connect a Git provider',
      text: `Git hosts send pushes and issues to ${inboundBasePath}/webhooks.`,
      path: '/integrations',
    },
    {
      isDone: found.hasErrors === true,
      title: 'Report an error',
      text: 'Each distinct error of your applications opens one ticket.',
      path: '/integrations',
    },
    {
      isDone: found.hasWebhooks,
      title: 'Subscribe to events',
      text: 'A webhook notifies your program of changes here.',
      path: '/webhooks',
    },
  ],
})

/** Hides the first steps from the person, or shows them again. */
export async function hideFirstSteps(page: WorkspacePage): Promise<PageResult> {
  const hides = page.form.text('hide') === 'yes'
  await page.admin.account.update({ hides_first_steps: hides })
  return redirect(page.link('/overview'), `The first steps are ${hides ? 'hidden' : 'shown'}`)
}

const switchPath = '/overview/first-steps'
const switchId = 'switch-first-steps'

const topics = 'tickets members automation employees punches tokens activity errors webhooks'

export function FirstSteps({ page, jobs }: { readonly page: WorkspacePage } & Pick<FirstStepsState, 'jobs'>) {
  const hide = (
    <ActionButton id={switchId} action={page.link(switchPath)} fields={{ hide: 'yes' }} variant="quiet" small>
      Hide
    </ActionButton>
  )
  return (
    <div id="first-steps" data-live={topics}>
      {jobs.length > 0 && (
        <Card title="First steps" aside={hide}>
          <div class="thirds">
            {jobs.map(({ name, steps }) => (
              <section class="stack tight-stack">
                <h3>{name}</h3>
                <ol class="steps">
                  {steps.map((step) => (
                    <FirstStep step={step} href={page.link(step.path)} />
                  ))}
                </ol>
              </section>
            ))}
          </div>
        </Card>
      )}
    </div>
  )
}

function FirstStep({ step, href }: { readonly step: Step; readonly href: string }) {
  const { isDone, title, text, line } = step
  return (
    <li class={isDone ? 'done' : undefined}>
      <Icon name={isDone ? 'circle-check' : 'chevron-right'} />
      <div>
        {isDone ? <s>{title}</s> : <a href={href}>{title}</a>}
        <span class="sr">{isDone ? ' (done)' : ''}</span>
        {!isDone && <p class="meta">{text}</p>}
        {!isDone && line !== undefined && <code class="line">{line}</code>}
      </div>
    </li>
  )
}

/** Shows hidden first steps again. */
export function ShowFirstSteps({ page }: { readonly page: WorkspacePage }) {
  if (!page.person.hidesFirstSteps) return null
  return (
    <ActionButton id={switchId} action={page.link(switchPath)} fields={{ hide: 'no' }} variant="quiet" small>
      Show first steps
    </ActionButton>
  )
}
