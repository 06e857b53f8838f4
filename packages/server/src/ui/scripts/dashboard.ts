// What pages do beyond plain links and forms. Each file of this folder becomes a block of one script, so none imports
// another, and a page works without any of them.

/** Times are shown in the reader's zone; the server learns it from here. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone && !document.cookie.includes(`zone=${zone}`))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`

/** A notice goes by itself. It is for what went well, so nobody misses anything. */
const toast = document.querySelector('#toast')
const dismiss = (notice: Element) => setTimeout(() => notice.remove(), 6000)
if (toast?.firstElementChild) dismiss(toast.firstElementChild)
document.addEventListener('notice', (event) => {
  const line = document.createElement('p')
  line.dir = 'auto'
  line.textContent = event instanceof CustomEvent ? String(event.detail) : ''
  toast?.replaceChildren(line)
  dismiss(line)
})

/** A menu closes when something else is pressed, and with Escape. */
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

/** `<ui-copy of="id">` copies the text of an element when the button inside is pressed. */
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
          // Without https a page may not write to the clipboard: then the text is selected for the reader to copy.
          getSelection()?.selectAllChildren(source)
          tell('Selected; copy it with the keyboard')
        }
      })
    }
  },
)

const tell = (text: string) => document.dispatchEvent(new CustomEvent('notice', { detail: text }))
