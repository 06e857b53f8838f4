import type { EventName, RotatedSubscription } from '@service/client/admin'
import { Banner } from '../../ui/components/banner.tsx'
import { ActionButton, LinkButton } from '../../ui/components/button.tsx'
import { Facts, PageHead } from '../../ui/components/card.tsx'
import { Secret } from '../../ui/components/secret.tsx'
import { Time } from '../../ui/components/time.tsx'
import { numberOrUndefined, submit } from '../../ui/forms.ts'
import { type PageResult, placeOf, redirect, show, type WorkspacePage } from '../../ui/page-types.ts'
import { endpointName } from './endpoint-state.ts'

const ownLink = (page: WorkspacePage) => page.link(`/webhooks/${page.params['id']}`)

export async function sendTestEvent(page: WorkspacePage): Promise<PageResult> {
  const event = page.form.text('event') as EventName // the server says when it knows no such event
  const result = await submit(page, page.admin.webhooks.sendTest(placeOf(page), { event }))
  return redirect(ownLink(page), result.ok ? `${event} is on its way` : refusalOf(result.form))
}

export async function recoverDeliveries(page: WorkspacePage): Promise<PageResult> {
  const since = Date.parse(`${page.form.text('since')}T00:00:00Z`)
  const text = Number.isNaN(since) ? page.form.text('since') : new Date(since).toISOString()
  const result = await submit(page, page.admin.webhooks.recover(placeOf(page), { since: text }))
  return redirect(ownLink(page), result.ok ? 'What did not arrive is sent again' : refusalOf(result.form))
}

const refusalOf = ({ refusal, problems }: { refusal: string | undefined; problems: readonly { sentence: string }[] }) =>
  refusal ?? problems[0]?.sentence ?? 'That cannot be done now.'

export async function enableEndpoint(page: WorkspacePage): Promise<PageResult> {
  const endpoint = await page.admin.webhooks.enable(placeOf(page))
  return redirect(ownLink(page), `${endpointName(endpoint)} is switched on`)
}

export async function disableEndpoint(page: WorkspacePage): Promise<PageResult> {
  const endpoint = await page.admin.webhooks.disable(placeOf(page))
  return redirect(ownLink(page), `${endpointName(endpoint)} is switched off`)
}

export async function deleteEndpoint(page: WorkspacePage): Promise<PageResult> {
  await page.admin.webhooks.delete(placeOf(page))
  return redirect(page.link('/webhooks'), 'The endpoint is deleted')
}

export async function endPreviousSecret(page: WorkspacePage): Promise<PageResult> {
  await page.admin.webhooks.revokePreviousSecret(placeOf(page))
  return redirect(ownLink(page), 'The old secret signs no longer')
}

export async function rotateSecret(page: WorkspacePage): Promise<PageResult> {
  const overlap_hours = numberOrUndefined(page.form, 'overlap')
  return rotated(page, await page.admin.webhooks.rotateSecret(placeOf(page), { overlap_hours }))
}

function rotated(page: WorkspacePage, endpoint: RotatedSubscription): PageResult {
  const { previous_secret_until: until } = endpoint
  return show({
    title: 'New secret',
    crumbs: [
      { label: 'Webhooks', href: page.link('/webhooks') },
      { label: endpointName(endpoint), href: ownLink(page) },
    ],
    body: (
      <>
        <PageHead title="The new signing secret">
          {until === null
            ? 'It signs from now on, and the old one does not.'
            : 'It signs from now on, and so does the old one for a while.'}
        </PageHead>
        <div class="stack form">
          {endpoint.warning !== null && <Banner tone="warn">{endpoint.warning}</Banner>}
          <Secret id="secret" value={endpoint.secret} label="Signing secret" />
          {until !== null && <Facts facts={[['Old secret until', <Time at={until} exact />]]} />}
          <div class="row">
            <LinkButton href={ownLink(page)}>Back to the endpoint</LinkButton>
            {until !== null && (
              <ActionButton action={`${ownLink(page)}/end-previous-secret`} look="quiet">
                End the old secret now
              </ActionButton>
            )}
          </div>
        </div>
      </>
    ),
  })
}
