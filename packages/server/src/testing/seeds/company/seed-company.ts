import { gitProviders, leadSources, liveScopes } from '@service/contract'
import type { TxApp } from '../../../context.ts'
import { formatInstant, microsPerDay } from '../../../core/clock.ts'
import { regenerateLeadSourceSecret, switchLeadSource } from '../../../modules/crm/lead-sources.ts'
import { setGitIntegration } from '../../../modules/integrations/git-service.ts'
import { issueSecret } from '../../../modules/integrations/service.ts'
import { createToken } from '../../../modules/tokens/service.ts'
import { createWorkspace } from '../../../modules/workspaces/service.ts'
import { pinTime } from '../../factories/factory-context.ts'
import type { DemoCredentials } from '../scenarios/demo-data.ts'
import { recordAttendance } from './attendance.ts'
import { storeAudit } from './audit.ts'
import { type Company, calendarOf, companyZone, daysBack } from './company.ts'
import { planErrors, storeErrors } from './errors.ts'
import { storeEvents } from './events.ts'
import { storeGit } from './git.ts'
import { storeInbound } from './insert-rows.ts'
import { makeChannels, planMessages, storeMessages } from './messages.ts'
import { hirePeople, type Staff } from './people.ts'
import { planGit } from './plan-git.ts'
import { planTickets } from './plan-tickets.ts'
import { randomOf } from './random.ts'
import { makeRules, makeServiceLevels, storeRuns } from './rules.ts'
import { storeDeals, storeLeads } from './sales.ts'
import { storeSubscriptions } from './subscriptions.ts'
import { storeTickets } from './tickets.ts'
import { makeProjects, storeTasks } from './work.ts'

const name = 'Harbourline Logistics'
const defaultSeed = 'company'

/**
 * Fills a workspace with what a small company has after two months. What is few is made by the services; what is many is
 * stored in batches, as the services would have stored it, because the first start of a demo must not take long. Nothing
 * is sent: the addresses of its subscriptions cannot exist (RFC 6761).
 */
export async function seedCompany(app: TxApp, seed = defaultSeed): Promise<DemoCredentials> {
  const now = app.clock.now()
  const founded = pinTime(app, formatInstant(now - (daysBack + 5) * microsPerDay))
  const { id: workspace } = await createWorkspace(founded, { name, time_zone: companyZone, currency: 'EUR' })
  const staff = await hirePeople(founded, workspace)
  const credentials = await issueCredentials(founded, workspace, staff)
  const random = (part: string) => randomOf(seed, part)
  const company: Company = { app, workspace, now, calendar: calendarOf(now), people: staff.people, random }
  await makeServiceLevels(company)
  await fill(company)
  return credentials
}

/** Everything that happened in the two months. What names something else is stored after it. */
async function fill(company: Company): Promise<void> {
  const projects = await makeProjects(company)
  const channels = await makeChannels(company)
  const errors = planErrors(company)
  const hooks = planGit(company)
  const issues = hooks.flatMap(({ issue }) => (issue === undefined ? [] : [issue.ticket]))
  const reported = errors.flatMap(({ ticket }) => (ticket === null ? [] : [ticket]))
  const plans = [...planTickets(company, projects), ...reported, ...issues]
  const { tickets, ticketOf } = await storeTickets(company, plans)
  const tasks = await storeTasks(company, { projects, tickets })
  const rules = await makeRules(company, channels, tickets)
  const runs = rules.flatMap((rule) => rule.runs)
  const posted = runs.flatMap(({ message }) => (message === undefined ? [] : [message]))
  const messages = await storeMessages(company, [...planMessages(company, channels, tickets), ...posted])
  await storeRuns(company, runs, messages)
  await storeDeals(company)
  await storeInbound(company, {
    errors: await storeErrors(company, errors, ticketOf),
    ...(await storeGit(company, hooks, ticketOf)),
    leads: await storeLeads(company),
    attendance: await recordAttendance(company),
  })
  const subscriptions = await storeSubscriptions(company, await storeEvents(company, { tickets, tasks, messages }))
  await storeAudit(company, { tickets, rules, subscriptions })
}

async function issueCredentials(app: TxApp, workspace: number, { people, frontDoor }: Staff): Promise<DemoCredentials> {
  const [owner] = people
  if (owner === undefined) throw new Error('The company has no people.')
  const scopes = { name: 'Demo', scopes: [...liveScopes], expires_at: null }
  const { token } = await createToken(app, { workspace_id: workspace, user_id: owner.id, ...scopes })
  const errors = await issueSecret(app, { workspaceId: workspace, integration: 'errors' })
  const attendance = await issueSecret(app, { workspaceId: workspace, integration: 'attendance' })
  for (const provider of gitProviders)
    await setGitIntegration(app, { workspaceId: workspace, provider, enabled: true, open_tickets: true })
  const leads: Record<string, string> = {}
  for (const source of leadSources) {
    await switchLeadSource(app, { workspaceId: workspace, source }, true)
    leads[source] = (await regenerateLeadSourceSecret(app, { workspaceId: workspace, source })).secret
  }
  const { id, source_type, external_device_id, secret: device } = frontDoor
  return {
    workspace,
    token,
    secrets: { errors: errors.secret, attendance: attendance.secret, device, leads },
    device: { id, source_type, external_device_id },
    employee: {
      user_id: owner.id,
      employee_code: owner.employeeCode,
      attendance_uid: owner.attendanceUid,
      email: owner.email,
    },
  }
}
