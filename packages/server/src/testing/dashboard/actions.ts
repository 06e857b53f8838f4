import { redirect, type ShownResult } from '../../ui/page-types.ts'
import type { Fault } from '../faults/fault.ts'
import type { DoublePage } from './double-page.ts'

/** Runs the action of a button. Errors are shown as a notice. */
export async function runAction(page: DoublePage, name: string): Promise<ShownResult> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) return redirect(page.link(''), 'Unknown action.')
  try {
    return await action(page)
  } catch (thrown) {
    return redirect(page.link(''), thrown instanceof Error ? thrown.message : String(thrown))
  }
}

type Action = (page: DoublePage) => Promise<ShownResult>

const actions: Readonly<Record<string, Action>> = {
  async reset(page) {
    await page.server.reset()
    return redirect(page.link(''), 'The server was reset')
  },
  async advance(page) {
    const by = page.form.text('by')
    await page.server.clock.advance(by)
    return redirect(page.link(''), `The clock was advanced by ${by}`)
  },
  async 'next-due'(page) {
    const dueAt = await page.nextDueAt()
    if (dueAt === undefined) return redirect(page.link(''), 'Nothing is due')
    const { clock } = page.server
    await clock.advance(Math.max(0, Math.ceil((dueAt - clock.now().getTime() * 1000) / 1000)))
    return redirect(page.link(''), 'The next due work has run')
  },
  async freeze(page) {
    await page.server.clock.freeze()
    return redirect(page.link(''), 'The clock is frozen')
  },
  async unfreeze(page) {
    page.server.clock.unfreeze()
    return redirect(page.link(''), 'The clock is running')
  },
  async 'add-fault'(page) {
    const { name } = page.server.faults.add(readFault(page))
    return redirect(page.link(''), `Fault added: ${name}`)
  },
  async 'remove-fault'(page) {
    const { form } = page
    const fault = page.server.faults.list()[Number(form.text('index'))]
    // Another fault may have been removed in the meantime, which changes the indexes.
    if (fault?.name !== form.text('name')) return redirect(page.link(''), 'The list of faults has changed. Try again.')
    fault.remove()
    return redirect(page.link(''), 'Fault removed')
  },
  /** Signs in as the member with the highest role. */
  async 'sign-in'(page) {
    const { admin } = page.server
    const workspace = Number(page.form.text('workspace'))
    const { data } = await admin.members.list({ workspace }, { limit: 200 })
    const member = roles.map((role) => data.find((each) => each.role === role)).find((each) => each !== undefined)
    if (member === undefined) return redirect(page.link(''), 'The workspace has no members.')
    const { link } = await admin.users.signInLink({ id: member.id })
    return redirect(`${page.dashboardPath}${link.slice(link.indexOf('/dashboard') + '/dashboard'.length)}`)
  },
}

const roles = ['owner', 'admin', 'member', 'viewer'] as const

/** The faults in the form. */
export const faultKinds: readonly { readonly value: string; readonly label: string; readonly fault: Fault }[] = [
  { value: '500', label: 'Respond with 500', fault: { respond: 500 } },
  { value: '503', label: 'Respond with 503', fault: { respond: { status: 503, retryAfterSeconds: 1 } } },
  { value: '429', label: 'Respond with 429', fault: { respond: { status: 429, retryAfterSeconds: 1 } } },
  { value: 'lost', label: 'Do the work, then respond with 500', fault: { respond: 500, when: 'after' } },
  { value: 'slow', label: 'Respond after 2 s', fault: { latency: '2s' } },
  { value: 'hang', label: 'Never respond', fault: { connection: 'hang' } },
  { value: 'reset', label: 'Reset the connection', fault: { connection: 'reset' } },
  { value: 'malformed', label: 'Malformed JSON', fault: { damage: 'malformed' } },
]

function readFault({ form }: DoublePage): Fault {
  const kind = faultKinds.find(({ value }) => value === form.text('kind'))
  if (kind === undefined) throw new TypeError('Choose a fault.')
  const method = form.text('method') || undefined
  const path = form.text('path') || undefined
  const times = form.text('times')
  return {
    ...kind.fault,
    ...(method === undefined && path === undefined ? {} : { match: { method, path } }),
    ...(times === '' ? {} : { times: Number(times) }),
  }
}
