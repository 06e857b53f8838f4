import type { GitProvider } from '@service/client/inbound'
import { expect, test } from 'vitest'
import type { Server } from '../../src/index.ts'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { allCases, allPairs, type Case, isRight } from './corpus.ts'
import { type IssuedSecrets, inboundOf, startOpenSite } from './inbound-site.ts'

interface Posted {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Posts a body as its sender does, with the secret that was issued for it. */
function poster(server: Server, workspaceId: number, secrets: IssuedSecrets) {
  const routes: Readonly<Record<string, (one: Case) => readonly [path: string, secret: string | undefined]>> = {
    errors: () => ['errors', secrets.errors],
    attendance: () => ['attendance', secrets.attendance],
    leads: ({ expected: { source } }) => [`leads/${source}`, secrets.leads[String(source)]],
  }
  return async (one: Case): Promise<Posted> => {
    const [path, secret] = routes[one.provider]?.(one) ?? [one.provider, undefined]
    const headers = { ...one.headers, ...(secret === undefined ? {} : { 'x-service-webhook-secret': secret }) }
    return call(server, { method: 'POST', path: `/api/webhooks/${workspaceId}/${path}`, body: one.body, headers })
  }
}

async function startPosting(start: Start) {
  const site = await startOpenSite(start)
  return { ...site, post: poster(site.server, site.workspaceId, site.secrets) }
}

interface Verdict {
  readonly file: string
  readonly label: string
  readonly found: unknown
  readonly wanted: unknown
}

/** The compared labels, and those that differ from the expected value. */
function judge({ file, expected }: Case, found: Readonly<Record<string, unknown>>) {
  const labels = Object.keys(found).filter((label) => label in expected || `${label}_contains` in expected)
  const verdicts = labels.map((label): Verdict => ({ file, label, found: found[label], wanted: expected[label] }))
  return { judged: labels.length, wrong: verdicts.filter(({ label, found }) => !isRight(expected, label, found)) }
}

const cases = allCases()

/** Sends a Git body to its own workspace, because several bodies are about the same issue, and returns the stored data. */
async function sendAlone(server: Server, one: Case) {
  const { id: workspace_id } = await server.admin.workspaces.create({ name: one.file })
  const provider = one.provider as GitProvider // the caller passes only Git bodies
  await server.admin.integrations.update(
    { workspace: workspace_id, integration: provider },
    { enabled: true, open_tickets: true },
  )
  const path = `/api/webhooks/${workspace_id}/${provider}`
  const receipt: Posted = await call(server, { method: 'POST', path, body: one.body, headers: { ...one.headers } })
  const entries = await server.admin.activities.list({ workspace: workspace_id }, { limit: 200 }).all()
  const [ticket] = (await server.admin.tickets.list({ workspace: workspace_id })).data
  const [entry] = entries
  const common = { event: entry?.event, actor: entry?.actor ?? null, repo: entry?.repository ?? null }
  const commits = entries.filter(({ kind }) => kind === 'commit').length
  const isPush = typeof one.expected['commits'] === 'number'
  return { receipt, found: { ...common, ...(ticket && { issue_title: ticket.title }), ...(isPush && { commits }) } }
}
const isGit = ({ provider }: Case) => ['github', 'gitlab', 'bitbucket'].includes(provider)

onEveryStore(
  `what senders really send (${cases.length} bodies)`,
  (start) => {
    test('from Git hosts are accepted, open the expected tickets, and are stored as labeled', async () => {
      const { server } = await startOpenSite(start)
      let judged = 0
      const wrong: Verdict[] = []
      for (const one of cases.filter(isGit)) {
        const { receipt, found } = await sendAlone(server, one)
        expect([one.file, receipt.status, Number(receipt.body['stored']) > 0]).toEqual([one.file, 200, true])
        expect([one.file, receipt.body['ticket_created']]).toEqual([one.file, one.expected['is_issue_open']])
        const decision = judge(one, found)
        judged += decision.judged
        wrong.push(...decision.wrong)
      }
      expect({ isEnough: wrong.length / judged <= 0.05, wrong }).toMatchObject({ isEnough: true })
    })

    test('from error reporters are accepted and stored as labeled', async () => {
      const { server, workspaceId, post } = await startPosting(start)
      let judged = 0
      const wrong: Verdict[] = []
      for (const one of cases.filter(({ provider }) => provider === 'errors')) {
        const { status, body } = await post(one)
        expect([one.file, status]).toEqual([one.file, 200])
        const groups = await server.admin.errorReports.list({ workspace: workspaceId }, { limit: 200 }).all()
        const group = groups.find(({ ticket_id }) => ticket_id === body['ticket_id'])
        expect([one.file, group === undefined]).toEqual([one.file, false])
        const decision = judge(one, {
          message: group?.message,
          exception: group?.exception,
          file: group?.file,
          line: group?.line,
          framework: group?.framework,
          environment: group?.environment,
          severity: group?.severity,
          app_name: group?.app,
          status_code: group?.sample['status'],
          url: group?.sample['url'],
          method: group?.sample['method'],
        })
        judged += decision.judged
        wrong.push(...decision.wrong)
      }
      expect({ isEnough: wrong.length / judged <= 0.05, wrong }).toMatchObject({ isEnough: true })
    })

    test('from lead platforms are accepted and stored as labeled', async () => {
      let judged = 0
      const wrong: Verdict[] = []
      for (const one of cases.filter(({ provider }) => provider === 'leads')) {
        const { server, workspaceId, post } = await startPosting(start)
        const { status, body } = await post(one)
        expect([one.file, status]).toEqual([one.file, 200])
        const [lead] = (await server.admin.leads.list({ workspace: workspaceId })).data
        const { name = null, email = null, phone = null, company = null } = lead ?? {}
        const decision = judge(one, {
          has_pii: body['lead_created'],
          source: body['source'],
          name,
          email,
          phone,
          company,
        })
        judged += decision.judged
        wrong.push(...decision.wrong)
      }
      expect(judged).toBeGreaterThan(5)
      expect(wrong).toEqual([])
    })

    test('from attendance devices get a clear response, including native formats that need an agent', async () => {
      const { post } = await startPosting(start)
      for (const one of cases.filter(({ provider }) => provider === 'attendance')) {
        const { status, body } = await post(one)
        expect([one.file, status, typeof body['message']]).toEqual([one.file, 422, 'string'])
      }
    })

    test('change nothing when hosts with delivery ids send them twice', async () => {
      const { server, workspaceId, post } = await startPosting(start)
      const id = { github: 'x-github-delivery', gitlab: 'idempotency-key', bitbucket: 'x-request-uuid' }
      const some = cases.filter(isGit).slice(0, 20)
      const send = (one: Case, number: number) => {
        const [, name = ''] = Object.entries(id).find(([provider]) => provider === one.provider) ?? []
        return post({ ...one, headers: { ...one.headers, [name]: `d-${number}` } })
      }
      const first = await Promise.all(some.map(send))
      const before = await server.admin.activities.list({ workspace: workspaceId }, { limit: 200 }).all()
      const second = await Promise.all(some.map(send))
      expect(second.map(({ status, body }) => [status, body['stored'], body['ticket_created']])).toEqual(
        first.map(() => [200, 0, false]),
      )
      expect(await server.admin.activities.list({ workspace: workspaceId }, { limit: 200 }).all()).toEqual(before)
    })
  },
  ['memory', 'sqlite'],
)

onEveryStore(
  'messages of errors',
  (start) => {
    async function startReporting() {
      const site = await startOpenSite(start)
      const { errors } = inboundOf(site, { secrets: { errors: site.secrets.errors } })
      return async (report: object) => (await errors.report(report)).ticket_id
    }

    test('with the same error share a ticket', async () => {
      for (const [exception, first, second] of allPairs().must_merge) {
        const report = await startReporting()
        expect([first, await report({ exception, message: second })]).toEqual([
          first,
          await report({ exception, message: first }),
        ])
      }
    })

    test('with different errors do not', async () => {
      for (const { a, b } of allPairs().must_split) {
        const report = await startReporting()
        expect([a, await report(a)]).not.toEqual([a, await report(b)])
      }
    })
  },
  ['memory', 'sqlite'],
)
