// The platform's document shows only single values and states "allowed values: not shown" (§2).

/** An open list of values: editors suggest the known ones, and any other string is accepted. */
export type Open<Known extends string> = Known | (string & {})

export const ticketStatuses = ['open', 'in_progress', 'pending', 'resolved', 'closed'] as const
export type TicketStatus = Open<(typeof ticketStatuses)[number]>
/** Closed tickets are resolved, too. */
export const isResolved = (status: string | undefined) => status === 'resolved' || status === 'closed'

export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = Open<(typeof priorities)[number]>

export const taskStatuses = ['todo', 'in_progress', 'review', 'done'] as const
export type TaskStatus = Open<(typeof taskStatuses)[number]>

export const projectStatuses = ['planning', 'active', 'on_hold', 'completed', 'archived'] as const
export type ProjectStatus = Open<(typeof projectStatuses)[number]>

export const employmentTypes = ['full_time', 'part_time', 'contract', 'intern'] as const
export type EmploymentType = Open<(typeof employmentTypes)[number]>

export const dealStages = ['prospecting', 'qualification', 'proposal', 'negotiation', 'won', 'lost'] as const
export type DealStage = Open<(typeof dealStages)[number]>

export const leadStatuses = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const
export type LeadStatus = Open<(typeof leadStatuses)[number]>

/** A lead with one of these statuses is open. A second lead with the same e-mail is a duplicate (§4, §7). */
export const openLeadStatuses = ['new', 'contacted', 'qualified'] as const

/** The six lead source keys of the ping's `supported_sources` (§4). */
export const leadSources = ['website', 'facebook', 'google_ads', 'linkedin', 'tiktok', 'whatsapp'] as const
export type KnownLeadSource = (typeof leadSources)[number]
export type LeadSource = Open<KnownLeadSource>

export const punchActions = ['check_in', 'check_out'] as const
export type PunchAction = Open<(typeof punchActions)[number]>

export const punchDirections = ['in', 'out', 'toggle'] as const
export type PunchDirection = (typeof punchDirections)[number]

/** The three Git providers and the header in which each names its event (§4). */
export const gitProviders = ['github', 'gitlab', 'bitbucket'] as const
export type GitProvider = (typeof gitProviders)[number]
export const gitEventHeaders: Readonly<Record<GitProvider, string>> = {
  github: 'X-GitHub-Event',
  gitlab: 'X-Gitlab-Event',
  bitbucket: 'X-Event-Key',
}

/** The levels of error reports, least severe first. */
export const errorLevels = [
  'trace',
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
  'fatal',
] as const
export type ErrorLevel = (typeof errorLevels)[number]
