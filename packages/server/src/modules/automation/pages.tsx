import type { AutomationRun, Rule } from '@service/contract/admin/automation'
import { Badge, type Tone } from '../../ui/components/badge.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { PagedList, RowLink, Table } from '../../ui/components/table.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { Time } from '../../ui/components/time.tsx'
import { findEntry, pluralize, words } from '../../ui/format.ts'
import { numberOrUndefined } from '../../ui/forms.ts'
import { type PageResult, redirect, show, type WorkspacePage, type WorkspacePages } from '../../ui/page-types.ts'
import { buildNewRule, changeRule, deleteRule, loadNames, newRule, openRule } from './builder-pages.tsx'
import { describeRule, type Names, triggerLabels } from './rule-labels.ts'
import { AutomationTabs, changePolicies, slaPolicies } from './sla-pages.tsx'

const role = 'admin'

export const automationPages: WorkspacePages = [
  { method: 'GET', path: '/automation', handle: ruleList },
  { method: 'GET', path: '/automation/runs', handle: runList },
  { method: 'GET', path: '/automation/sla', handle: slaPolicies },
  { method: 'POST', path: '/automation/sla', role, handle: changePolicies },
  { method: 'GET', path: '/automation/new', role, creates: 'rule', handle: newRule },
  { method: 'POST', path: '/automation/new', role, handle: buildNewRule },
  { method: 'GET', path: '/automation/{id}', role, handle: openRule },
  { method: 'POST', path: '/automation/{id}', role, handle: changeRule },
  { method: 'POST', path: '/automation/{id}/switch', role, handle: switchRule },
  { method: 'POST', path: '/automation/{id}/delete', role, handle: deleteRule },
]

async function ruleList(page: WorkspacePage): Promise<PageResult> {
  const before = numberOrUndefined(page.query, 'before')
  const [{ data, next_before }, names] = await Promise.all([
    page.admin.rules.list({ workspace: page.workspace.id }, { before }),
    loadNames(page),
  ])
  const create = page.can('admin') ? (
    <LinkButton href={page.link('/automation/new')} variant="primary" icon="plus" shortcut="c">
      New rule
    </LinkButton>
  ) : undefined
  return show({
    title: 'Automation',
    live: true,
    action: create,
    body: (
      <>
        <h1 class="sr">Automation</h1>
        <AutomationTabs page={page} current="rules" />
        <div id="rules" data-live="automation">
          <PagedList
            isEmpty={data.length === 0}
            empty={
              <Empty icon="workflow" title="No rules yet" actions={create}>
                A rule runs when a ticket changes. It can assign, tag, or update the ticket, or post a message.
              </Empty>
            }
            summary={pluralize(data.length, 'rule')}
            page={page}
            href={page.link('/automation')}
            next={next_before}
          >
            <Table
              bleed
              caption="Rules"
              columns={[
                { name: 'Rule', classes: 'wide' },
                { name: 'When', classes: 'wide-only' },
                { name: 'State' },
                { name: 'Actions', classes: 'right', isHidden: true },
              ]}
            >
              {data.map((rule) => (
                <RuleRow page={page} rule={rule} names={names} />
              ))}
            </Table>
          </PagedList>
        </div>
      </>
    ),
  })
}

interface RowProps {
  readonly page: WorkspacePage
  readonly rule: Rule
  readonly names: Names
}

function RuleRow({ page, rule, names }: RowProps) {
  const canChange = page.can('admin')
  const summary = describeRule(rule, names)
  return (
    <tr id={`rule-${rule.id}`}>
      <td class="wide">
        <div class="clip">
          {canChange ? (
            <RowLink id={`open-rule-${rule.id}`} href={page.link(`/automation/${rule.id}`)}>
              {rule.name}
            </RowLink>
          ) : (
            <strong dir="auto">{rule.name}</strong>
          )}{' '}
          <span class="meta wide-only">{summary}</span>
        </div>
        <div class="second clip">{summary}</div>
      </td>
      <td class="wide-only tight">{triggerLabels[rule.trigger]}</td>
      <td class="tight">
        <Badge tone={rule.enabled ? 'ok' : 'mute'}>{rule.enabled ? 'On' : 'Off'}</Badge>
      </td>
      <td class="right tight">
        {canChange && (
          <ActionButton
            id={`switch-rule-${rule.id}`}
            action={page.link(`/automation/${rule.id}/switch`)}
            fields={{ enabled: rule.enabled ? '' : 'yes' }}
            variant="quiet"
            small
          >
            {rule.enabled ? 'Switch off' : 'Switch on'}
          </ActionButton>
        )}
      </td>
    </tr>
  )
}

async function switchRule(page: WorkspacePage): Promise<PageResult> {
  const at = { workspace: page.workspace.id, id: Number(page.params['id']) }
  const rule = await page.admin.rules.update(at, { enabled: page.form.text('enabled') !== '' })
  return redirect(page.link('/automation'), `${rule.name} is switched ${rule.enabled ? 'on' : 'off'}`)
}

async function runList(page: WorkspacePage): Promise<PageResult> {
  const at = { workspace: page.workspace.id }
  const before = numberOrUndefined(page.query, 'before')
  const isAll = page.query.text('outcome') === 'all'
  const path = page.link('/automation/runs')
  const all = `${path}?outcome=all`
  const [{ data, next_before }, rules] = await Promise.all([
    page.admin.rules.runs(at, { before, ...(isAll ? {} : { outcome: 'matched' }) }),
    page.admin.rules.list(at, { limit: 200 }),
  ])
  const names = new Map(rules.data.map(({ id, name }) => [id, name]))
  return show({
    title: 'Runs',
    live: true,
    crumbs: [{ label: 'Automation', href: page.link('/automation') }],
    body: (
      <>
        <h1 class="sr">Runs</h1>
        <AutomationTabs page={page} current="runs" />
        <div class="toolbar">
          <Segments
            label="Outcome"
            tabs={[
              { label: 'Matched', href: path, isCurrent: !isAll },
              { label: 'All', href: all, isCurrent: isAll },
            ]}
          />
        </div>
        <div id="runs" data-live="automation">
          <PagedList
            isEmpty={data.length === 0}
            empty={
              isAll ? (
                <Empty icon="history" title="No runs yet">
                  Every run of a rule appears here, including refused ones.
                </Empty>
              ) : (
                <Empty
                  icon="history"
                  title="No rule has matched yet"
                  actions={<LinkButton href={all}>All runs</LinkButton>}
                >
                  Runs of rules whose conditions match a ticket appear here, including refused ones.
                </Empty>
              )
            }
            summary={pluralize(data.length, 'run')}
            page={page}
            href={isAll ? all : path}
            next={next_before}
          >
            <Table
              bleed
              caption="Rule runs, newest first"
              columns={[
                { name: 'Outcome' },
                { name: 'Rule', classes: 'wide' },
                { name: 'Ticket', classes: 'wide-only tight' },
                { name: 'When', classes: 'right' },
              ]}
            >
              {data.map((run) => (
                <RunRow page={page} run={run} rule={names.get(run.rule_id)} />
              ))}
            </Table>
          </PagedList>
        </div>
      </>
    ),
  })
}

interface RunProps {
  readonly page: WorkspacePage
  readonly run: AutomationRun
  readonly rule: string | undefined
}

function RunRow({ page, run, rule = 'A deleted rule' }: RunProps) {
  const { outcome, detail, ticket_id, ticket_number, ran_at } = run
  return (
    <tr>
      <td class="tight">
        <Badge tone={findEntry(tones, outcome) ?? 'warn'}>{words(outcome)}</Badge>
      </td>
      <td class="wide">
        <div class="clip">
          <strong>{rule}</strong> <span class="meta">{detail}</span>
        </div>
        <div class="second clip">
          <a href={page.link(`/tickets/${ticket_id}`)}>{ticket_number}</a>
        </div>
      </td>
      <td class="wide-only tight">
        <a href={page.link(`/tickets/${ticket_id}`)}>{ticket_number}</a>
      </td>
      <td class="right meta">
        <Time at={ran_at} />
      </td>
    </tr>
  )
}

/** Not matching is the normal case, so it is muted. */
const tones: Readonly<Record<string, Tone>> = { ran: 'ok', not_matched: 'mute' }
