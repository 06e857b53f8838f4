import { hash } from 'node:crypto'
import type { GitActivity, GitActor, GitRepository } from '@service/intake/git/activity'
import { did, numbered, verbFor } from '@service/intake/git/activity-text'
import { type PushedRef, pushActivities } from '@service/intake/git/push'
import { type Micros, microsPerHour, microsPerMinute, microsPerSecond } from '../../../core/clock.ts'
import { type Company, hourOf, isWorkday } from './company.ts'
import { changeTexts, issueTexts } from './git-texts.ts'
import type { Random } from './random.ts'
import type { TicketPlan } from './tickets.ts'

interface Host {
  readonly provider: 'github' | 'gitlab'
  readonly events: Readonly<Record<'push' | 'review' | 'issue', string>>
  /** What the host calls a change that is up for review. */
  readonly review: string
  readonly origin: string
  /** The path of a page about one thing of a repository. */
  page(kind: 'commit' | 'review' | 'issue', id: string | number): string
}

const github: Host = {
  provider: 'github',
  events: { push: 'push', review: 'pull_request', issue: 'issues' },
  review: 'pull request',
  origin: 'https://github.example',
  page: (kind, id) => `/${{ commit: 'commit', review: 'pull', issue: 'issues' }[kind]}/${id}`,
}

const gitlab: Host = {
  provider: 'gitlab',
  events: { push: 'Push Hook', review: 'Merge Request Hook', issue: 'Issue Hook' },
  review: 'merge request',
  origin: 'https://gitlab.example',
  page: (kind, id) => `/-/${{ commit: 'commit', review: 'merge_requests', issue: 'issues' }[kind]}/${id}`,
}

const repositories = [
  { host: github, name: 'harbourline/checkout-api', firstNumber: 212 },
  { host: github, name: 'harbourline/driver-app', firstNumber: 87 },
  { host: gitlab, name: 'harbourline/warehouse-sync', firstNumber: 41 },
] as const

interface Place {
  readonly host: Host
  readonly repository: GitRepository
}

/** A delivery of a host's webhook. */
export interface Hook {
  readonly place: Place
  readonly at: Micros
  readonly event: string
  readonly activities: readonly GitActivity[]
  readonly issue?: { readonly number: number; readonly url: string; readonly ticket: TicketPlan }
}

export function planGit(company: Company): readonly Hook[] {
  const random = company.random('git')
  const authors = company.people.filter(({ department }) => department === 'Engineering').map(({ name }) => name)
  const hooks = repositories.flatMap(({ host, name, firstNumber }, index) => {
    const place: Place = { host, repository: { name, url: `${host.origin}/${name}` } }
    const own = changeTexts[index] ?? []
    const days = company.calendar.filter(isWorkday)
    let number = firstNumber
    return own.flatMap((message, position) => {
      number += 1
      const day = days[Math.floor((position * days.length) / (own.length - 1))] ?? days[0]
      const isLast = position === own.length - 1
      const usual = day === undefined ? 0 : hourOf(day, 9 + 5 * random.fraction())
      // Whatever the day, somebody has just begun something.
      const startsAt = isLast ? company.now - random.whole(160, 400) * microsPerMinute : usual
      return changeOf({
        random,
        place,
        startsAt,
        message,
        number,
        author: random.pick(authors),
        reviewer: random.pick(authors),
      })
    })
  })
  const issues = issueTexts.map((text, index) => issueOf(company, random, { text, index }))
  return [...hooks, ...issues].filter(({ at }) => at <= company.now - microsPerMinute).toSorted((a, b) => a.at - b.at)
}

interface Change {
  readonly random: Random
  readonly place: Place
  readonly startsAt: Micros
  readonly message: string
  readonly number: number
  readonly author: string
  readonly reviewer: string
}

/** A branch that is pushed, put up for review, and merged some hours or a day later. */
function changeOf({ random, place, startsAt, message, number, author, reviewer }: Change): readonly Hook[] {
  const branch = (message.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, 4).join('-')
  const review = { place, number, title: message, branch }
  const openedAt = startsAt + random.whole(20, 150) * microsPerMinute
  const mergedAt = openedAt + random.whole(1, 26) * microsPerHour + random.whole(0, 59) * microsPerMinute
  const messages = random.happens(0.35) ? [message, 'Add a test for it'] : [message]
  const opened = [
    pushed({ place, at: startsAt, branch, who: author, messages }),
    reviewed({ ...review, at: openedAt, action: 'opened', who: author }),
  ]
  if (!random.happens(0.9)) return opened
  const mergePushedAt = mergedAt + 4 * microsPerSecond
  return [
    ...opened,
    reviewed({ ...review, at: mergedAt, action: 'merged', who: reviewer }),
    pushed({ place, at: mergePushedAt, branch: 'main', who: reviewer, messages: [message] }),
  ]
}

interface Pushed {
  readonly place: Place
  readonly at: Micros
  readonly branch: string
  readonly who: string
  readonly messages: readonly string[]
}

function pushed(push: Pushed): Hook {
  const { place, at, who } = push
  const { host, repository } = place
  const activities = pushActivities({ actor: actorOf(host, who), repository, refs: [refOf(push)] })
  return { place, at, event: host.events.push, activities }
}

function refOf({ place: { host, repository }, at, branch: name, who: author, messages }: Pushed): PushedRef {
  const commits = messages.map((message) => {
    const sha = hash('sha1', `${name} ${message} ${at}`)
    return { sha, url: `${repository.url}${host.page('commit', sha)}`, message, author, at }
  })
  const head = commits.at(-1) ?? { sha: null, url: null, message: null, author: null, at: null }
  return {
    ...{ type: 'branch', ref: `refs/heads/${name}`, name, created: name !== 'main', deleted: false, forced: false },
    ...{ after: head.sha, commits, listed: commits.length, total: commits.length, isCut: false, head },
  }
}

interface Reviewed {
  readonly place: Place
  readonly at: Micros
  readonly action: string
  readonly who: string
  readonly number: number
  readonly title: string
  readonly branch: string
}

function reviewed({ place, at, action, who, number, title, branch }: Reviewed): Hook {
  const { host, repository } = place
  const activity: GitActivity = {
    ...aboutNothing(place, who, at),
    kind: 'pull_request',
    title: did(actorOf(host, who), `${verbFor(action)} ${numbered(host.review, { number, title })}`),
    ref: branch,
    url: `${repository.url}${host.page('review', number)}`,
  }
  return { place, at, event: host.events.review, activities: [activity] }
}

const actorOf = ({ origin }: Host, name: string): GitActor => ({
  name,
  email: null,
  url: `${origin}/${name.split(' ')[0]?.toLowerCase()}`,
})

const aboutNothing = ({ host, repository }: Place, who: string, at: Micros) =>
  ({
    ref: null,
    url: null,
    commitSha: null,
    commitAuthor: null,
    actor: actorOf(host, who),
    repository,
    occurredAt: at,
  }) as const

/** An issue that somebody outside the company opened; it became a ticket. */
function issueOf(
  { calendar }: Company,
  random: Random,
  { text, index }: { text: (typeof issueTexts)[number]; index: number },
): Hook {
  const { host, name, firstNumber } = repositories[text.repository]
  const place: Place = { host, repository: { name, url: `${host.origin}/${name}` } }
  const day = calendar[calendar.length - 1 - text.daysAgo]
  const at = day === undefined ? 0 : hourOf(day, 7 + 12 * random.fraction())
  const number = firstNumber - 8 + index
  const url = `${place.repository.url}${host.page('issue', number)}`
  const source = `Opened as ${name}#${number} on ${host.provider} by ${text.author}.`
  return {
    place,
    at,
    event: host.events.issue,
    activities: [
      {
        ...aboutNothing(place, text.author, at),
        kind: 'issue',
        title: did(
          actorOf(host, text.author),
          `${verbFor('opened')} ${numbered('issue', { number, title: text.title })}`,
        ),
        url,
      },
    ],
    issue: {
      number,
      url,
      ticket: {
        at,
        title: text.title,
        description: [text.body, source, url].join('\n\n'),
        priority: 'medium',
        category: 'git_issue',
        tags: [],
        project_id: null,
        created_by: null,
        fate: { kind: 'usual' },
      },
    },
  }
}
