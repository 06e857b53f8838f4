// Keyboard shortcuts: j and k move through list rows, / focuses the search field, and the letter in an element's
// `data-key` activates it.

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

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

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const dialog = document.querySelector('dialog[open]')
  if (dialog !== null) pressIn(dialog, event)
  else if (event.key === 'j' || event.key === 'k') moveFocus(event.key === 'j' ? 1 : -1)
  else if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  } else pressIn(document, event)
})
