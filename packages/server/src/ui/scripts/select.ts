// Rows with checkboxes: Shift-click selects a range, x toggles the focused row, X extends the selection to it, Escape
// clears it, and b moves to the bar that changes the selected rows.

const boxesOf = (list: Element | null | undefined) => [
  ...(list?.querySelectorAll<HTMLInputElement>('tbody .check input') ?? []),
]
const selectableOf = (target: EventTarget | null) => (target instanceof Element ? target.closest('.selectable') : null)
const boxOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('tr')?.querySelector<HTMLInputElement>('.check input[name=id]') : null

/** The id of the checkbox where a range starts. */
let anchor = ''

function select(box: HTMLInputElement, { isChecked, isRange }: { isChecked: boolean; isRange: boolean }): void {
  const boxes = boxesOf(selectableOf(box))
  const [from, to] = [boxes.findIndex(({ id }) => id === anchor), boxes.indexOf(box)]
  const range = isRange && from !== -1 ? boxes.slice(Math.min(from, to), Math.max(from, to) + 1) : [box]
  for (const one of range) one.checked = isChecked
  anchor = box.id
  showAll()
}

/** Updates the checkboxes in the heads, which select all rows. */
function showAll(): void {
  for (const all of document.querySelectorAll<HTMLInputElement>('[data-select-all]')) {
    const boxes = boxesOf(selectableOf(all))
    const checked = boxes.filter((box) => box.checked).length
    all.hidden = false
    all.checked = checked > 0 && checked === boxes.length
    all.indeterminate = checked > 0 && checked < boxes.length
  }
}
// Rows that were refused arrive selected. Once a script has set it, a live update keeps the selection.
for (const box of document.querySelectorAll<HTMLInputElement>('.check :checked')) box.checked = true
showAll()
document.addEventListener('htmx:after:swap', showAll)
document.addEventListener('reset', () => setTimeout(showAll))

// In the capture phase, because Shift-click on a link opens a window.
document.addEventListener(
  'click',
  (event) => {
    const box = boxOf(event.target)
    if (!event.shiftKey || !box || event.target === box) return
    event.preventDefault()
    event.stopPropagation()
    select(box, { isChecked: true, isRange: true })
  },
  true,
)
document.addEventListener('click', ({ target, shiftKey }) => {
  if (!(target instanceof HTMLInputElement)) return
  if (target.matches('[data-select-all]')) {
    for (const box of boxesOf(selectableOf(target))) box.checked = target.checked
    showAll()
  } else if (target === boxOf(target)) select(target, { isChecked: target.checked, isRange: shiftKey })
})

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  const isTyping = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector('dialog[open]')) return
  const bar = document.querySelector<HTMLFormElement>('.bulk')
  const box = boxOf(document.activeElement)
  if (key === 'x' && box) select(box, { isChecked: !box.checked, isRange: false })
  else if (key === 'X' && box) select(box, { isChecked: true, isRange: true })
  else if (key === 'Escape') bar?.reset()
  else if (key === 'b') bar?.querySelector<HTMLElement>('select, input')?.focus()
  else return
  event.preventDefault()
})
