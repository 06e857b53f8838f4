// Rows with checkboxes: Shift-click selects a range, x toggles the focused row, X extends the selection to it, Escape
// clears it, and b moves to the bar that changes the selected rows. The keys of the bar's controls work on the selected
// rows, or else on the focused one. In the bar, Enter applies the changes and Escape reverts a choice.

const boxesOf = (list: Element | null | undefined) => [
  ...(list?.querySelectorAll<HTMLInputElement>('tbody .check input') ?? []),
]
const findSelectable = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('.selectable') : null
const boxOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('tr')?.querySelector<HTMLInputElement>('.check input[name=id]') : null

/** The id of the checkbox where a range starts. */
let anchor = ''

function select(box: HTMLInputElement, { isChecked, isRange }: { isChecked: boolean; isRange: boolean }): void {
  const boxes = boxesOf(findSelectable(box))
  const [from, to] = [boxes.findIndex(({ id }) => id === anchor), boxes.indexOf(box)]
  const range = isRange && from !== -1 ? boxes.slice(Math.min(from, to), Math.max(from, to) + 1) : [box]
  for (const one of range) one.checked = isChecked
  anchor = box.id
  showAll()
}

/** Updates the checkboxes in the heads, which select all rows. */
function showAll(): void {
  for (const all of document.querySelectorAll<HTMLInputElement>('[data-select-all]')) {
    const boxes = boxesOf(findSelectable(all))
    const checked = boxes.filter((box) => box.checked).length
    all.hidden = false
    all.checked = checked > 0 && checked === boxes.length
    all.indeterminate = checked > 0 && checked < boxes.length
  }
}
// Rows that were refused arrive selected, and the bar with what was chosen. Once a script has set it, a live update keeps
// it, and Clear clears it.
for (const box of document.querySelectorAll<HTMLInputElement>('.check :checked')) {
  box.checked = true
  box.defaultChecked = false
}
for (const input of document.querySelectorAll<HTMLInputElement>('.bulk input')) {
  const { value } = input
  input.defaultValue = ''
  input.value = value
}
for (const option of document.querySelectorAll<HTMLOptionElement>('.bulk option[selected]')) {
  option.defaultSelected = false
  option.selected = true
}
showAll()
document.addEventListener('htmx:after:swap', showAll)
document.addEventListener('reset', () => setTimeout(showAll))

/** A change loads the page again. The focus stays on its row, or if that left the list, on the row that took its place. */
const rowKey = 'changed-row'
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof Element && target.matches('.bulk, #undo'))) return
  const row = boxOf(document.activeElement)?.id ?? anchor
  const boxes = boxesOf(findSelectable(document.getElementById(row)))
  sessionStorage.setItem(rowKey, `${row} ${boxes.findIndex(({ id }) => id === row)}`)
})
const [changedRow = '', place] = sessionStorage.getItem(rowKey)?.split(' ') ?? []
sessionStorage.removeItem(rowKey)
if (changedRow !== '') {
  const box = document.getElementById(changedRow) ?? boxesOf(document.querySelector('.selectable'))[Number(place)]
  box?.closest('tr')?.querySelector<HTMLElement>('.row-link')?.focus()
}

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
    for (const box of boxesOf(findSelectable(target))) box.checked = target.checked
    showAll()
  } else if (target === boxOf(target)) select(target, { isChecked: target.checked, isRange: shiftKey })
})

/** Before the shortcuts of the page, because a button changes the rows that are selected when it is pressed. */
document.addEventListener('keydown', (event) => pressKey(event), true)

function pressKey(event: KeyboardEvent): void {
  const { key, target } = event
  const bar = document.querySelector<HTMLFormElement>('.bulk')
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    bar === null ||
    document.querySelector('dialog[open], :popover-open')
  )
    return
  if (target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')) {
    if (target.closest('.bulk')) pressInBar(bar, event)
    return
  }
  const box = boxOf(document.activeElement)
  const control = bar.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  if (control !== null) {
    useControl(control, event)
    return
  }
  if (key === 'x' && box) select(box, { isChecked: !box.checked, isRange: false })
  else if (key === 'X' && box) select(box, { isChecked: true, isRange: true })
  else if (key === 'Escape') bar.reset()
  else if (key === 'b') bar.querySelector<HTMLElement>('select, input')?.focus()
  else return
  event.preventDefault()
}

/** Without a selection, the focused row is selected. */
function useControl(control: HTMLElement, event: KeyboardEvent): void {
  const box = boxOf(document.activeElement)
  event.preventDefault()
  event.stopPropagation()
  if (!document.querySelector('.check input[name=id]:checked')) {
    if (!box) return
    select(box, { isChecked: true, isRange: false })
  }
  if (control instanceof HTMLButtonElement) control.click()
  else control.focus()
}

function pressInBar(bar: HTMLFormElement, event: KeyboardEvent): void {
  const { key, target } = event
  if (key !== 'Enter' && key !== 'Escape') return
  event.preventDefault()
  if (key === 'Enter') bar.requestSubmit()
  else {
    if (target instanceof HTMLSelectElement || target instanceof HTMLInputElement) target.value = ''
    document.getElementById(anchor)?.closest('tr')?.querySelector<HTMLElement>('.row-link')?.focus()
  }
}
