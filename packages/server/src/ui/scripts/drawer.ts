// A link with `data-drawer` opens its page next to the list, without the page layout.

declare function ask(url: string, init?: RequestInit): Promise<Response>
declare function hasUnsent(within: ParentNode, sent?: EventTarget | null): boolean
declare function idAfter(event: SubmitEvent): string
declare function returnFocus(within: HTMLElement, id?: string): void
declare const htmx: {
  process(element: Element): void
}

const drawer = document.querySelector<HTMLDialogElement>('#drawer')

/** Asks before input is lost, as the browser does for a page. */
const mayLeave = (sent?: EventTarget | null) =>
  drawer === null || !hasUnsent(drawer, sent) || confirm('Leave without sending? Your input will be lost.')

const close = () => {
  if (mayLeave()) drawer?.close()
}

interface DrawerPage {
  readonly href: string
  readonly title?: string | undefined
  readonly row?: Element | null
}

/** The open page is in the fragment of the URL, so that a reload or a shared link opens it too. */
const fragment = '#open='

/** Opening adds an entry to the history, so that Back closes the drawer instead of leaving the list. */
function noteOpened(href: string): void {
  const { pathname, search } = new URL(href)
  const address = fragment + encodeURIComponent(pathname + search)
  if (location.hash.startsWith(fragment)) history.replaceState(history.state, '', address)
  else history.pushState(fragment, '', address)
}

function noteClosed(): void {
  if (history.state === fragment) history.back()
  else history.replaceState(null, '', location.pathname + location.search)
}

async function openDrawer({ href, title = '', row }: DrawerPage): Promise<void> {
  if (drawer === null) return
  // Live parts are fetched from this page.
  drawer.dataset['page'] = href
  const body = document.createElement('div')
  body.className = 'drawer-body'
  if (!(await fill(body, href))) return location.assign(href)
  drawer.replaceChildren(createBar(href, title), body)
  row?.setAttribute('aria-current', 'true')
  drawer.showModal()
  noteOpened(href)
  // The server renders the heading as focusable: an attribute set here would be lost in a live update.
  body.querySelector('h1')?.focus()
}

/** Shows the response. Returns false if it is not a page fragment. */
async function fill(body: Element, url: string, init: RequestInit = {}): Promise<boolean> {
  const answer = await ask(url, init)
  if (answer.status >= 500 || answer.headers.get('x-part') === null) return false
  if (init.method === 'POST' && answer.redirected && answer.url !== drawer?.dataset['page']) {
    // The record no longer exists, or the response redirects.
    sessionStorage.setItem('notice', answer.headers.get('x-notice') ?? '')
    location.assign(answer.url)
    return true
  }
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  body.replaceChildren(...parsed.body.childNodes)
  htmx.process(body)
  const notice = answer.headers.get('x-notice')
  if (notice !== null) document.dispatchEvent(new CustomEvent('notice', { detail: decodeURIComponent(notice) }))
  return true
}

/** Forms in the drawer are submitted and their responses shown there. */
drawer?.addEventListener('submit', (event) => {
  const form = event.target
  const body = drawer.querySelector<HTMLElement>('.drawer-body')
  if (!(form instanceof HTMLFormElement) || form.method === 'dialog' || body === null) return
  event.preventDefault()
  if (!mayLeave(form)) return
  const id = idAfter(event)
  const fields = new FormData(form, event.submitter)
  const sent = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
  const answered =
    form.method === 'post'
      ? fill(body, form.action, { method: 'POST', body: sent })
      : fill(body, `${form.action}?${sent}`)
  answered.then(
    (isShown) => (isShown ? returnFocus(body, id) : location.reload()),
    () => location.reload(),
  )
})

function createBar(href: string, title: string): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'drawer-bar'
  const name = document.createElement('span')
  name.className = 'quiet'
  name.textContent = title
  const open = document.createElement('a')
  open.className = 'button quiet small'
  open.href = href
  open.textContent = 'Open as page'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet small'
  button.textContent = 'Close'
  button.addEventListener('click', close)
  bar.append(name, open, button)
  return bar
}

drawer?.addEventListener('close', () => {
  for (const row of document.querySelectorAll('tr[aria-current]')) row.removeAttribute('aria-current')
  drawer.replaceChildren()
  noteClosed()
})
drawer?.addEventListener('click', (event) => {
  if (event.target === drawer) close()
})
// On the window, after listeners that use Escape for something else. The browser closes a dialog on the second Escape
// even if its `cancel` event is prevented.
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
  const dialogs = document.querySelectorAll('dialog[open]')
  if (dialogs.length !== 1 || dialogs[0] !== drawer) return
  event.preventDefault()
  close()
})

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link =
    event.target instanceof Element
      ? event.target.closest<HTMLAnchorElement>('a[data-drawer], #drawer a[data-neighbor]')
      : null
  if (link === null || innerWidth < 900) return
  event.preventDefault()
  if (!mayLeave()) return
  const { href, dataset } = link
  openDrawer({ href, title: dataset['drawerTitle'], row: link.closest('tr') }).catch(() => location.assign(href))
})

function openFromAddress(): void {
  if (!location.hash.startsWith(fragment)) return
  const { href, origin } = new URL(decodeURIComponent(location.hash.slice(fragment.length)), location.href)
  if (origin === location.origin) openDrawer({ href }).catch(() => location.assign(href))
}

addEventListener('popstate', () => {
  openFromAddress()
  // Another fragment leads to a field of the drawer.
  if (!drawer?.open || location.hash !== '') return
  if (mayLeave()) drawer.close()
  else noteOpened(drawer.dataset['page'] ?? '')
})
// Once all scripts have run, because it needs `ask`.
document.addEventListener('DOMContentLoaded', openFromAddress)
