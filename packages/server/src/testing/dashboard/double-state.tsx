import type { Workspace } from '@service/client/admin'
import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton, Button } from '../../ui/components/button.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Confirm, Dialog } from '../../ui/components/dialog.tsx'
import { SelectField, TextField } from '../../ui/components/form.tsx'
import { count, duration, exactTime, pluralize, secondsTime, words } from '../../ui/format.ts'
import { newForm } from '../../ui/forms.ts'
import { type ShownResult, show } from '../../ui/page-types.ts'
import type { ActiveFault } from '../faults/fault.ts'
import type { OpenInbox } from '../webhooks/delivery-hub.ts'
import { faultKinds } from './actions.ts'
import { JournalCard } from './double-journal.tsx'
import type { DoublePage } from './double-page.ts'

// Polled, unlike the platform's own pages: a running clock and the time until the next due work change without an event.
const refreshEvery = 'every 2s'

/** The state of the double. The changing part is polled; forms are outside of it. */
export async function doubleState(page: DoublePage): Promise<ShownResult> {
  const { workspaces, inMemory, rows } = await loadOverview(page)
  return show({
    title: 'Test double',
    body: (
      <>
        <PageHead
          title="Test double"
          badge={<Badge tone="mute">{inMemory ? 'In memory' : 'On a database'}</Badge>}
          actions={
            <Confirm
              id="reset"
              button={{ variant: 'danger', icon: 'rotate-ccw', children: 'Reset…' }}
              title="Reset the server?"
              action={page.link('/reset')}
              confirmLabel="Reset"
            >
              Restores the rows, ids, clock, faults, journal, and inboxes to their initial state.
            </Confirm>
          }
        >
          The data, requests, and faults of this server.
        </PageHead>
        <div class="stack">
          <div
            class="stack"
            id="double-now"
            hx-get={page.link('')}
            hx-trigger={refreshEvery}
            hx-select="#double-now"
            hx-swap="outerMorph"
          >
            <div class="halves even">
              <ClockCard page={page} waiting={await pendingWork(page)} />
              <FaultsCard page={page} />
            </div>
            <div class="split">
              <JournalCard page={page} />
              <Inboxes inboxes={page.hub.inboxes()} />
            </div>
          </div>
          <div class="halves">
            <Workspaces page={page} workspaces={workspaces} />
            <Card title="Holds">
              <Facts facts={rows} />
            </Card>
          </div>
        </div>
        <FaultDialog page={page} />
      </>
    ),
  })
}

async function loadOverview({ server, app, isFragment }: DoublePage) {
  const { admin } = server
  const { data } = await admin.workspaces.list()
  const tables = isFragment ? [] : (await admin.system.tables()).data
  const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const rows = heldTables.map((table) => [words(table), count(rowsOf(table))] as const)
  return { workspaces: data, inMemory: app.store.bytes !== undefined, rows }
}

const heldTables = ['tickets', 'tasks', 'messages', 'punches', 'leads', 'error_groups', 'activities', 'deliveries']

async function pendingWork(page: DoublePage): Promise<string> {
  const { admin, clock } = page.server
  const [{ deliveries }, dueAt] = await Promise.all([admin.system.get(), page.nextDueAt()])
  const pending = `Pending: ${pluralize(deliveries.pending, 'delivery', 'deliveries')}.`
  if (dueAt === undefined) return `${pending} Nothing is due.`
  const left = dueAt / 1000 - clock.now().getTime()
  return `${pending} The next work is due ${left <= 0 ? 'now' : `in ${duration(left)}`}.`
}

function ClockCard({ page, waiting }: { readonly page: DoublePage; readonly waiting: string }) {
  const { clock } = page.server
  const now = clock.now().getTime()
  const state = clock.isFrozen ? <Badge tone="warn">Stopped</Badge> : <Badge tone="ok">Running</Badge>
  return (
    <Card title="Clock" aside={state}>
      <div class="stack tight-stack">
        <p class="quiet">{exactTime(now, page.zone)}</p>
        <p class="clock">{secondsTime(now, page.zone)}</p>
        <p class="quiet">{waiting}</p>
        <div class="row">
          <ActionButton id="advance-minute" action={page.link('/advance')} fields={{ by: '1m' }} small>
            +1 min
          </ActionButton>
          <ActionButton id="advance-hour" action={page.link('/advance')} fields={{ by: '1h' }} small>
            +1 h
          </ActionButton>
          <ActionButton id="next-due" action={page.link('/next-due')} small>
            To next due
          </ActionButton>
          {clock.isFrozen ? (
            <ActionButton id="unfreeze" action={page.link('/unfreeze')} variant="quiet" icon="play" small>
              Run
            </ActionButton>
          ) : (
            <ActionButton id="freeze" action={page.link('/freeze')} variant="quiet" icon="pause" small>
              Stop
            </ActionButton>
          )}
        </div>
      </div>
    </Card>
  )
}

function FaultsCard({ page }: { readonly page: DoublePage }) {
  const faults = page.server.faults.list()
  const add = (
    <Button id="open-add-fault" opens="add-fault" variant="quiet" icon="plus" small>
      Add
    </Button>
  )
  return (
    <Card title="Faults" aside={add} flush>
      {faults.length === 0 ? (
        <p class="card-body quiet">No fault is active.</p>
      ) : (
        <ul class="received">
          {faults.map(({ name, hits, fault }, index) => (
            <li>
              <Badge tone={isUsedUp(fault.times, hits) ? 'mute' : 'bad'}>{name}</Badge>
              <code class="clip">{describeMatch(fault.match)}</code>
              <span class="meta">
                {fault.times === undefined ? 'always' : pluralize(fault.times, 'time')}, applied {count(hits)}
              </span>
              <ActionButton
                id={`remove-fault-${index}`}
                action={page.link('/remove-fault')}
                fields={{ index: String(index), name }}
                variant="quiet"
                icon="x"
                label={`Remove the fault ${name}`}
                small
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const isUsedUp = (times: number | undefined, hits: number) => times !== undefined && hits >= times

function describeMatch(match: ActiveFault['fault']['match'] = {}): string {
  const { operation, method, path } = match
  return [operation, method, path === undefined ? undefined : String(path)].filter(Boolean).join(' ') || 'every request'
}

function Workspaces({ page, workspaces }: { readonly page: DoublePage; readonly workspaces: readonly Workspace[] }) {
  return (
    <Card title="Workspaces" flush>
      {workspaces.length === 0 ? (
        <p class="card-body quiet">No workspaces yet.</p>
      ) : (
        <ul class="received">
          {workspaces.map(({ id, name }) => (
            <li>
              <code>{id}</code>
              <span class="clip">{name}</span>
              <ActionButton
                id={`sign-in-${id}`}
                action={page.link('/sign-in')}
                fields={{ workspace: String(id) }}
                icon="arrow-right"
                small
              >
                Open its dashboard
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const maxArrivals = 20

/** Inboxes that tests have opened, with their requests. */
function Inboxes({ inboxes }: { readonly inboxes: readonly OpenInbox[] }) {
  if (inboxes.length === 0)
    return (
      <Card title="Inboxes">
        <p class="quiet">
          <code>server.webhooks.capture()</code> opens one; what is delivered to it appears here.
        </p>
      </Card>
    )
  return (
    <div class="stack">
      {inboxes.map((inbox) => (
        <InboxCard inbox={inbox} />
      ))}
    </div>
  )
}

const nameOf = ({ url }: OpenInbox) => words(new URL(url).hostname.split('.')[0]?.replace('-', ' ') ?? 'inbox')

function InboxCard({ inbox }: { readonly inbox: OpenInbox }) {
  const arrivals = inbox.arrivals()
  return (
    <Card title={nameOf(inbox)} aside={<span class="meta">{pluralize(arrivals.length, 'request')}</span>} flush>
      {arrivals.length === 0 ? (
        <p class="card-body quiet">No requests yet.</p>
      ) : (
        <ul class="received">
          {arrivals
            .slice(-maxArrivals)
            .toReversed()
            .map(({ type, attempt, refused, answer }) => (
              <li>
                <code class="clip">{type}</code>
                <span class="meta">
                  {attempt > 1 && `attempt ${attempt}, `}answered {answer}
                </span>
                <Badge tone={refused === undefined ? 'ok' : 'warn'}>
                  {refused === undefined ? 'Verified' : refused}
                </Badge>
              </li>
            ))}
        </ul>
      )}
    </Card>
  )
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function FaultDialog({ page }: { readonly page: DoublePage }) {
  const state = newForm({ times: '1' })
  return (
    <Dialog id="add-fault" title="Add a fault">
      <form method="post" action={page.link('/add-fault')} class="form">
        <SelectField name="kind" label="Fault" options={faultKinds} state={state} />
        <SelectField
          name="method"
          label="Method"
          options={[{ value: '', label: 'Any' }, ...methods.map((value) => ({ value, label: value }))]}
          state={state}
        />
        <TextField name="path" label="Path" optional placeholder="/api/v1/workspaces/1/tickets" state={state} />
        <TextField
          name="times"
          label="How often"
          type="number"
          narrow
          optional
          hint="Leave empty for every match."
          state={state}
        />
        <Button variant="primary">Add fault</Button>
      </form>
    </Dialog>
  )
}
