// Keyboard shortcuts: j and k move through list rows, / focuses the search field, ? lists the shortcuts, and the letter
// in an element's `data-key` activates it.

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

const generalKeys: readonly (readonly [key: string, effect: string])[] = [
  ['⌘K', 'Search or go to'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['x', 'Select the row'],
  ['X', 'Select up to the row'],
  ['b', 'Change the rows'],
  ['Esc', 'Select no row'],
  ['/', 'Search the list'],
  ['[', 'Move a card to the left'],
  [']', 'Move a card to the right'],
  ['?', 'This list'],
]

/** Lists the shortcuts of the page in a dialog. */
function showKeys(): void {
  const ofPage = [...document.querySelectorAll<HTMLElement>('main [data-key], .topbar [data-key]')].map(
    (element) => [element.dataset['key'] ?? '', (element.ariaLabel ?? element.textContent ?? '').trim()] as const,
  )
  const sheet = document.createElement('dialog')
  sheet.className = 'dialog'
  sheet.ariaLabel = 'Keyboard shortcuts'
  const heading = document.createElement('h2')
  heading.textContent = 'Keyboard shortcuts'
  const list = document.createElement('dl')
  list.className = 'facts'
  for (const [key, effect] of [...generalKeys, ...ofPage]) {
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
  const dialog = document.querySelector('dialog[open]')
  if (dialog !== null) pressIn(dialog, event)
  else if (event.key === 'j' || event.key === 'k') moveFocus(event.key === 'j' ? 1 : -1)
  else if (event.key === '?') showKeys()
  else if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  } else pressIn(document, event)
})
