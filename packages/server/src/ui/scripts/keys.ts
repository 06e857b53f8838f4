// Keyboard shortcuts: j and k move through list rows, / focuses the search field, ? lists what works here, and the
// letter in an element's `data-key` activates it.

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')

function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('[data-rows] .row-link')]
  const current = rows.findIndex((row) => row.matches(':focus'))
  const next = current === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step))
  rows[next]?.focus()
}

function pressIn(part: ParentNode, event: KeyboardEvent): void {
  const target = part.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`)
  if (target === null) return
  event.preventDefault()
  target.click()
}

/** Each works where its selector matches. */
const generalKeys: readonly (readonly [key: string, effect: string, where: string])[] = [
  ['⌘K', 'Search or go to', 'main'],
  ['j', 'Next row', '[data-rows] .row-link'],
  ['k', 'Previous row', '[data-rows] .row-link'],
  ['x', 'Select the row', '.bulk'],
  ['X', 'Select up to the row', '.bulk'],
  ['b', 'Change the rows', '.bulk'],
  ['Esc', 'Select no row', '.bulk'],
  ['Esc', 'Close', '.drawer-bar'],
  ['/', 'Search the list', 'main input[type=search]'],
  ['[', 'Move a card to the left', 'ui-board'],
  [']', 'Move a card to the right', 'ui-board'],
  ['?', 'This list', '*'],
]

/** Lists the shortcuts of the page or the open dialog in a dialog. */
function showKeys(part: ParentNode): void {
  const general = generalKeys.filter(([, , where]) => part.querySelector(where))
  const own = [...part.querySelectorAll<HTMLElement>('[data-key]')].map(
    (element) => [element.dataset['key'] ?? '', (element.ariaLabel ?? element.textContent ?? '').trim()] as const,
  )
  const sheet = document.createElement('dialog')
  sheet.className = 'dialog'
  sheet.ariaLabel = 'Keyboard shortcuts'
  const heading = document.createElement('h2')
  heading.textContent = 'Keyboard shortcuts'
  const list = document.createElement('dl')
  list.className = 'facts'
  for (const [key, effect] of [...general, ...own]) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')]
    const keyboard = document.createElement('kbd')
    keyboard.textContent = key
    term.append(keyboard)
    description.textContent = effect
    list.append(term, description)
  }
  const form = document.createElement('form')
  form.method = 'dialog'
  form.innerHTML = '<button class="button">Close</button>'
  sheet.append(heading, list, form)
  sheet.addEventListener('close', () => sheet.remove())
  document.body.append(sheet)
  sheet.showModal()
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.querySelector(':popover-open')) return
  const dialog = document.querySelector('dialog[open]')
  if (event.key === '?') showKeys(dialog ?? document)
  else if (dialog !== null) pressIn(dialog, event)
  else if (event.key === 'j' || event.key === 'k') moveFocus(event.key === 'j' ? 1 : -1)
  else if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  } else pressIn(document, event)
})

/** Ctrl Enter sends a comment, also before its other script is there. */
document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (!(target instanceof HTMLTextAreaElement && target.dataset['mentions'])) return
  event.preventDefault()
  target.form?.requestSubmit()
})
