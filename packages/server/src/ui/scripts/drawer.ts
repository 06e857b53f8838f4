// A link with `data-drawer` opens its page next to the list, without the page layout.

declare function ask(url: string, init?: RequestInit): Promise<Response | undefined>
declare const htmx: {
  process(element: Element): void
}

const drawer = document.querySelector<HTMLDialogElement>('#drawer')

async function openDrawer(link: HTMLAnchorElement): Promise<void> {
  if (drawer === null) return
  // Live parts are fetched from this page.
  drawer.dataset['page'] = link.href
  const body = document.createElement('div')
  body.className = 'drawer-body'
  const isShown = await fill(body, link.href)
  if (isShown === false) location.assign(link.href)
  if (isShown !== true) return
  drawer.replaceChildren(barOf(link), body)
  link.closest('tr')?.setAttribute('aria-current', 'true')
  drawer.showModal()
  focusHeading(body)
}

/** Shows the response. Returns false if it is not a page fragment, and undefined without a response. */
async function fill(body: Element, url: string, init: RequestInit = {}): Promise<boolean | undefined> {
  const answer = await ask(url, init)
  if (answer === undefined) return undefined
  if (answer.status >= 500 || answer.headers.get('x-part') === null) return false
  if (init.method === 'POST' && answer.redirected && answer.url !== drawer?.dataset['page']) {
    // The record no longer exists, or the response redirects.
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

/** The server renders the heading as focusable: an attribute set here would be lost in a live update. */
const focusHeading = (body: Element) => body.querySelector<HTMLElement>('h1')?.focus()

/** Forms in the drawer are submitted and their responses shown there. */
drawer?.addEventListener('submit', (event) => {
  const form = event.target
  const body = drawer.querySelector('.drawer-body')
  if (!(form instanceof HTMLFormElement) || form.method !== 'post' || body === null) return
  event.preventDefault()
  const fields = new FormData(form, event.submitter)
  const sent = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
  fill(body, form.action, { method: 'POST', body: sent }).then(
    (isShown) => {
      if (isShown === true) focusHeading(body)
      else if (isShown === false) location.reload()
    },
    () => location.reload(),
  )
})

function barOf(link: HTMLAnchorElement): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'drawer-bar'
  const name = document.createElement('span')
  name.className = 'quiet'
  name.textContent = link.dataset['drawerTitle'] ?? ''
  const open = document.createElement('a')
  open.className = 'button quiet small'
  open.href = link.href
  open.textContent = 'Open as page'
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'button quiet small'
  close.textContent = 'Close'
  close.addEventListener('click', () => drawer?.close())
  bar.append(name, open, close)
  return bar
}

drawer?.addEventListener('close', () => {
  for (const row of document.querySelectorAll('tr[aria-current]')) row.removeAttribute('aria-current')
  drawer.replaceChildren()
})
drawer?.addEventListener('click', (event) => {
  if (event.target === drawer) drawer.close()
})

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link =
    event.target instanceof Element
      ? event.target.closest<HTMLAnchorElement>('a[data-drawer], #drawer a[data-neighbor]')
      : null
  if (link === null || innerWidth < 900) return
  event.preventDefault()
  openDrawer(link).catch(() => location.assign(link.href))
})
