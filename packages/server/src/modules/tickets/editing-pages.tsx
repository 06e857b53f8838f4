import { type PageResult, recordRef, type WorkspacePage } from '../../ui/page-types.ts'

const maxShown = 3

/** The other people who edit the ticket. The live stream updates it when someone begins or leaves, or loses access. */
export async function ticketEditors(page: WorkspacePage, ticketId: number) {
  const names = await page.listEditors(ticketId)
  return (
    <span
      class="editors"
      id={`ticket-editors-${ticketId}`}
      data-live={`editing-${ticketId} members`}
      aria-live="polite"
    >
      {names.slice(0, maxShown).map((name) => (
        <span>
          <bdi>{name}</bdi> is editing{' '}
        </span>
      ))}
    </span>
  )
}

/** The address to which the page's script reports that the person is in a field. */
export const editingUrl = (page: WorkspacePage, ticketId: number) =>
  page.can('member') ? page.link(`/tickets/${ticketId}/editing`) : undefined

export async function noteEditing(page: WorkspacePage): Promise<PageResult> {
  const ref = recordRef(page)
  await page.admin.tickets.get(ref)
  page.noteEditing(ref.id, page.form.text('state') === 'editing')
  return { kind: 'forwarded', response: new Response(null, { status: 204 }) }
}
