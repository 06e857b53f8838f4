import { LinkButton } from './components/button.tsx'
import { Card, Facts } from './components/card.tsx'
import { Empty } from './components/notice.tsx'
import { duration, words } from './format.ts'
import { type Fields, type PageContent, show } from './page-types.ts'

/** An error from the admin API, for an error page. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly retryAfterMs?: number | undefined
  readonly requestId?: string | undefined
}

/** Replaces a page that cannot be shown. `form` is what was sent to it: its texts stay readable. */
export function errorPage(refusal: Refusal, home: string, form?: Fields): PageContent {
  const { status, retryAfterMs } = refusal
  const { title, icon, text } = describeRefusal(refusal)
  return show({
    title,
    status,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000),
    body: (
      <>
        <Empty
          isPage
          icon={icon}
          title={title}
          actions={
            <LinkButton href={home} variant="primary">
              {status === 401 ? 'Sign in' : 'Go to the overview'}
            </LinkButton>
          }
        >
          {text}
        </Empty>
        {form !== undefined && <TypedTexts form={form} />}
      </>
    ),
  })
}

type Texts = readonly (readonly [name: string, text: string])[]

/** Fields that are chosen, or that the form sends by itself. */
const unwritten = new Set(
  `assigned_to at_before code currency delivery direction disabled do draft employment_type enabled encoding
  end_personal_tokens event events expires_in flags form_key hide id is_instance_admin min_level opened_at overlap owner
  priority replay role scopes since source stage state status theme time_zone to trigger version workspace`.split(
    /\s+/,
  ),
)

/** The same fields of numbered rows, references, and what may contain a password or a token. */
const unwrittenPattern =
  /(?<!^external_device)_id$|^(?:was|new)_|^(?:action|condition)_(?:count|\d+_(?:type|field|operator))$|password|secret|header/

/** The texts that a person wrote in a form, without passwords, secrets, and headers, which may contain tokens. */
export const typedTexts = (form: Fields): Texts =>
  form.entries().filter(([name, text]) => text.trim() !== '' && !unwritten.has(name) && !unwrittenPattern.test(name))

/** For a page that cannot take the input any more. */
export function TypedTexts({ form }: { readonly form: Fields }) {
  const texts = typedTexts(form)
  if (texts.length === 0) return null
  return (
    <Card title="What you wrote">
      <Facts
        facts={texts.map(([name, text]) => [
          words(name),
          <div class="prose" dir="auto">
            {text}
          </div>,
        ])}
      />
    </Card>
  )
}

function describeRefusal({ status, message, retryAfterMs, requestId }: Refusal) {
  switch (status) {
    case 401:
      return { title: 'Your session has ended', icon: 'lock', text: 'Nothing was saved. Sign in to continue.' } as const
    case 403:
      return { title: 'Access denied', icon: 'lock', text: message } as const
    case 404:
      return {
        title: 'Page not found',
        icon: 'search',
        text: `${message} It may have been deleted, or the address may be incomplete.`,
      } as const
    case 429: {
      const wait = retryAfterMs === undefined ? 'a minute' : duration(retryAfterMs)
      return { title: 'Too many requests', icon: 'clock', text: `${message} Try again in ${wait}.` } as const
    }
    case 413:
      return {
        title: 'Too large',
        icon: 'circle-alert',
        text: `${message} Select fewer rows, or shorten the texts.`,
      } as const
    case 409:
    case 412:
    case 422:
      return { title: 'Not possible', icon: 'circle-alert', text: message } as const
    case 503:
      return { title: 'Not available at the moment', icon: 'clock', text: message } as const
    default:
      return {
        title: 'Something went wrong',
        icon: 'triangle-alert',
        text: `The server could not complete the request. Try again. If the problem persists, tell the operator${requestId === undefined ? '' : ` the request id ${requestId}`}.`,
      } as const
  }
}
