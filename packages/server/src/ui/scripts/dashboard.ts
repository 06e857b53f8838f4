// Progressive enhancement. Each file in this folder becomes a block of one script, so files do not import each
// other, and pages work without any of them.

/** A refused form is shown at its own address, which has no GET. Its page has one: for live updates, reloads, and bookmarks. */
const { address } = document.body.dataset
if (address !== undefined) history.replaceState(null, '', address)

/** Times are shown in the reader's time zone, which this cookie tells the server. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone && !document.cookie.includes(`zone=${zone}`))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`

/** A notice disappears automatically. Notices only confirm success, so missing one is harmless. One with Undo stays longer. */
const toast = document.querySelector('#toast')
const dismiss = (notice: Element) =>
  setTimeout(() => notice.remove(), notice.querySelector('button') === null ? 6000 : 10_000)
if (toast?.firstElementChild) dismiss(toast.firstElementChild)
const tell = (text: string) => document.dispatchEvent(new CustomEvent('notice', { detail: text }))
document.addEventListener('notice', (event) => {
  const line = document.createElement('p')
  line.dir = 'auto'
  line.textContent = event instanceof CustomEvent ? String(event.detail) : ''
  toast?.replaceChildren(line)
  dismiss(line)
})

/** The notice of a change that was made in the drawer and left the page. */
const left = sessionStorage.getItem('notice')
sessionStorage.removeItem('notice')
if (left) tell(decodeURIComponent(left))

/** Closes an open menu on an outside click or Escape. */
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
})
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

/** The open sidebar is in front of the page on narrow screens. */
const sidebar = document.querySelector<HTMLElement>('#sidebar')
sidebar?.addEventListener('beforetoggle', ({ newState }) => {
  document.querySelector<HTMLElement>('.column')?.toggleAttribute('inert', newState === 'open')
})
sidebar?.addEventListener('toggle', ({ newState }) => {
  if (newState === 'open') sidebar.querySelector('a')?.focus()
})

/** The second click of a double click does not submit the form again. */
document.addEventListener(
  'click',
  (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (event.detail > 1 && button?.type === 'submit') event.preventDefault()
  },
  true,
)

/** `<ui-copy of="id">`: its button copies the text of an element. */
customElements.define(
  'ui-copy',
  class extends HTMLElement {
    connectedCallback() {
      this.addEventListener('click', async () => {
        const source = document.getElementById(this.getAttribute('of') ?? '')
        if (source === null) return
        try {
          await navigator.clipboard.writeText(source.textContent ?? '')
          tell('Copied')
        } catch {
          // The clipboard needs HTTPS. Without it, the text is selected for manual copying.
          getSelection()?.selectAllChildren(source)
          tell('Selected; copy it with the keyboard')
        }
      })
    }
  },
)

/** Loads the script that only some fields need, once one of them has the focus. One may have it before this script runs. */
function loadScript(field: EventTarget | null): void {
  const src = field instanceof HTMLElement && field.dataset['script']
  if (!src || document.querySelector(`script[src="${src}"]`)) return
  const script = document.createElement('script')
  script.src = src
  document.head.append(script)
}
loadScript(document.activeElement)
document.addEventListener('focusin', ({ target }) => loadScript(target))
