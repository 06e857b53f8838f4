// In a field with `data-mentions`, @ suggests the names in the list with that id. Tab or Enter takes the first, and the
// arrow keys move to the others.

const maxSuggestions = 5
const suggestions = document.createElement('div')
suggestions.className = 'row'
suggestions.role = 'group'
suggestions.ariaLabel = 'Members to mention'
suggestions.ariaLive = 'polite'

const mentioning = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement && target.dataset['mentions'] ? target : null

/** The text between the last @ and the cursor. */
const typedName = ({ value, selectionStart }: HTMLTextAreaElement) =>
  /(?:^|[^\p{L}\p{N}_.])@([^@\n]{0,40})$/u.exec(value.slice(0, selectionStart))?.[1]

function suggest(field: HTMLTextAreaElement): void {
  const typed = typedName(field)?.toLowerCase()
  const options = document.getElementById(field.dataset['mentions'] ?? '')?.querySelectorAll('option') ?? []
  const names = [...options].map(({ value }) => value)
  const matching = names.filter((name) => typed !== undefined && ` ${name}`.toLowerCase().includes(` ${typed}`))
  // A complete name needs no suggestion.
  const shown = matching.some((name) => name.toLowerCase() === typed) ? [] : matching.slice(0, maxSuggestions)
  suggestions.replaceChildren(...shown.map((name) => createSuggestion(field, name)))
  field.after(suggestions)
}

function createSuggestion(field: HTMLTextAreaElement, name: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small'
  button.dir = 'auto'
  button.textContent = name
  button.addEventListener('click', () => {
    const end = field.selectionStart
    field.setRangeText(`${name} `, end - (typedName(field)?.length ?? 0), end, 'end')
    suggestions.replaceChildren()
    field.focus()
  })
  return button
}

document.addEventListener('input', ({ target }) => {
  const field = mentioning(target)
  if (field) suggest(field)
})

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  const field = mentioning(target)
  const buttons = [...suggestions.querySelectorAll('button')]
  if (buttons.length === 0 || event.ctrlKey || event.metaKey) return
  if (field && (key === 'Tab' || key === 'Enter') && !event.shiftKey) buttons[0]?.click()
  else if (key === 'Escape') {
    suggestions.replaceChildren()
    suggestions.parentElement?.querySelector('textarea')?.focus()
  } else if (/^Arrow(?:Down|Right)$/.test(key)) {
    const next = target instanceof HTMLButtonElement ? buttons.indexOf(target) + 1 : 0
    if (!field && next === 0) return
    buttons[Math.min(next, buttons.length - 1)]?.focus()
  } else return
  event.preventDefault()
})

// This file is loaded when the field gets the focus, so its first letters may be there already.
const focused = mentioning(document.activeElement)
if (focused) suggest(focused)
