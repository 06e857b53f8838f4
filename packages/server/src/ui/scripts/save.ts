// A form with `data-save` has one control and is submitted on change. The response is the updated page, or the form
// with a conflicting change. It is merged into the page or drawer, which keeps the focus.

declare function ask(url: string, init?: RequestInit): Promise<Response>
declare const htmx: {
  swap(how: { text: string; target: Element; sourceElement: Element; swap: string }): Promise<void>
}

const savedForm = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>('form[data-save]') : null

/** Saves run one at a time, each with the version returned by the previous one. */
let saving = Promise.resolve()
function save(form: HTMLFormElement): void {
  saving = saving.then(() => send(form)).catch(() => form.submit())
}

async function send(form: HTMLFormElement): Promise<void> {
  const container = form.closest('.drawer-body') ?? document.querySelector('main')
  if (container === null || !isChanged(form)) return
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  form.toggleAttribute('data-unsent', true)
  const answer = await ask(form.action, { method: 'POST', body: new URLSearchParams(fields) })
  form.removeAttribute('data-unsent')
  if (answer.headers.get('x-part') === null) return form.submit()
  await htmx.swap({ text: await answer.text(), target: container, sourceElement: container, swap: 'innerMorph' })
  const notice = answer.headers.get('x-notice')
  if (notice !== null) document.dispatchEvent(new CustomEvent('notice', { detail: decodeURIComponent(notice) }))
  if (!answer.ok) container.querySelector<HTMLElement>('h1')?.focus()
}

function isEdited(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const initial = [...control.options].findIndex((option) => option.defaultSelected)
    return control.selectedIndex !== Math.max(0, initial)
  }
  if (control instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(control.type))
    return control.checked !== control.defaultChecked
  const hasText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
  return hasText && control.value !== control.defaultValue
}
const isChanged = (form: HTMLFormElement) => [...form.elements].some(isEdited)

/** The form that the page is left for. Its input is sent. */
let leavingFor: EventTarget | null = null
addEventListener('submit', ({ defaultPrevented, target }) => {
  leavingFor = defaultPrevented ? null : target
})
addEventListener('input', () => {
  leavingFor = null
})
// The browser asks before it leaves input that was not sent. A refused form arrives with its input.
addEventListener('beforeunload', (event) => {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form.form')]
  const isUnsent = (form: HTMLFormElement) => 'refused' in form.dataset || isChanged(form)
  if (forms.some((form) => form !== leavingFor && isUnsent(form))) event.preventDefault()
})

// Keyboard input passes through intermediate values, such as other options or the year 0002. Therefore it is saved
// on blur or Enter.
let isByKeyboard = false
document.addEventListener('keydown', () => {
  isByKeyboard = true
})
document.addEventListener('pointerdown', () => {
  isByKeyboard = false
})
document.addEventListener('change', ({ target }) => {
  const form = savedForm(target)
  if (form !== null && !isByKeyboard) save(form)
})
document.addEventListener('focusout', ({ target }) => {
  const form = savedForm(target)
  if (form !== null && isChanged(form)) save(form)
})
// Enter saves a pending choice, and Escape reverts it instead of closing the drawer.
document.addEventListener('keydown', (event) => {
  const form = savedForm(event.target)
  if (form === null || !/^(?:Enter|Escape)$/.test(event.key) || !isChanged(form)) return
  event.preventDefault()
  if (event.key === 'Enter') save(form)
  else form.reset()
})
document.addEventListener(
  'submit',
  (event) => {
    const form = savedForm(event.target)
    if (form === null) return
    event.preventDefault()
    // Otherwise the drawer would submit it too.
    event.stopPropagation()
    save(form)
  },
  true,
)

// A select that the user has changed ignores its `selected` attributes.
document.addEventListener('htmx:after:swap', () => {
  for (const option of document.querySelectorAll<HTMLOptionElement>('form[data-save] option[selected]'))
    if (option.closest('select') !== document.activeElement) option.selected = true
})
