import { oneLine } from '../sanitize/sanitize-text.ts'
import type { GitActor } from './activity.ts'

/** `pull_request` → `pull request`; `repo:refs_changed` → `repo refs changed`. */
export const inWords = (name: string): string => name.replace(/[_:\s-]+/g, ' ').trim()

const withCapital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "octocat opened pull request #3: Fix". */
export const actorSentence = (actor: GitActor | null, says: string): string =>
  oneLine(`${actor?.name ?? 'Someone'} ${says}`)

// GitLab names an action; the others use the past tense.
const pastTense = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
  ['close', 'closed'],
  ['award', 'awarded'],
  ['revoke', 'revoked'],
])

type EventWords = {
  readonly thing: string
  readonly action: string | null
  readonly actor: GitActor | null
  readonly subject?: string | null
}

/** For events without a specific wording: "Check run created by octocat: lint". */
export const eventSentence = ({ thing, action, actor, subject }: EventWords): string => {
  const what = withCapital(
    [inWords(thing), action === null ? '' : (pastTense.get(action) ?? inWords(action))].join(' ').trim(),
  )
  const who = actor === null ? '' : ` by ${actor.name}`
  return oneLine(`${what}${who}${subject ? `: ${subject}` : ''}`)
}

// One list for all hosts, which use different tenses for the same action.
const verbs = new Map(
  Object.entries({
    opened: 'opened',
    open: 'opened',
    created: 'created',
    create: 'created',
    closed: 'closed',
    close: 'closed',
    reopened: 'reopened',
    reopen: 'reopened',
    edited: 'edited',
    update: 'updated',
    updated: 'updated',
    modified: 'updated',
    deleted: 'deleted',
    delete: 'deleted',
    merge: 'merged',
    merged: 'merged',
    fulfilled: 'merged',
    rejected: 'declined',
    declined: 'declined',
    synchronize: 'pushed new commits to',
    push: 'pushed new commits to',
    from_ref_updated: 'pushed new commits to',
    approved: 'approved',
    approval: 'approved',
    unapproved: 'withdrew the approval of',
    unapproval: 'withdrew the approval of',
    changes_request_created: 'requested changes to',
    changes_request_removed: 'withdrew the requested changes to',
    needs_work: 'requested changes to',
    review_requested: 'requested a review of',
    review_request_removed: 'withdrew a review request from',
    ready_for_review: 'asked for reviews of',
    converted_to_draft: 'made a draft of',
    labeled: 'labeled',
    unlabeled: 'removed a label from',
    assigned: 'assigned',
    unassigned: 'unassigned',
    milestoned: 'set the milestone of',
    demilestoned: 'removed the milestone of',
    transferred: 'transferred',
    locked: 'locked',
    unlocked: 'unlocked',
    pinned: 'pinned',
    unpinned: 'unpinned',
    published: 'published',
    unpublished: 'unpublished',
    released: 'released',
    prereleased: 'pre-released',
  }),
)

export const verbFor = (action: string | null): string =>
  action === null ? 'touched' : (verbs.get(action) ?? `recorded "${inWords(action)}" on`)

/** "issue #3: Title", with the known parts. */
export const numbered = (thing: string, { number, title }: { number: number | null; title: string | null }): string =>
  `${thing}${number === null ? '' : ` #${number}`}${title === null ? '' : `: ${title}`}`
