// A form with `data-save` has one control and is submitted on change. The response is the updated page, or the form
// with a conflicting change. It is merged into the page or drawer, which keeps the focus.

declare function ask(url: string, init?: RequestInit): Promise<Response>
declare function returnFocus(within: HTMLElement): void
declare const htmx: {
  swap(how: { text: string; target: Element; sourceElement: Element; swap: string }): Promise<void>
}

// Without scripts, the controls are parts of another form, so that it keeps their input and they keep its.
for (const control of document.querySelectorAll('[data-save] [form]')) control.removeAttribute('form')

const savedForm = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>('form[data-save]') : null

/** Saves run one at a time, each with the version returned by the previous one. */
let saving = Promise.resolve()
function save(form: HTMLFormElement): void {
  saving = saving.then(() => send(form)).catch(() => form.submit())
}

const inputOf = (form: HTMLFormElement) =>
  String(new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])))

/** The form whose response is being merged. */
let saved: HTMLFormElement | undefined

async function send(form: HTMLFormElement): Promise<void> {
  const container = form.closest<HTMLElement>('.drawer-body') ?? document.querySelector('main')
  // A response that removes the form removes the focus from it.
  if (container === null || !form.isConnected || !isUnsent(form)) return
  const input = inputOf(form)
  form.toggleAttribute('data-unsent', true)
  const answer = await ask(form.action, { method: 'POST', body: new URLSearchParams(input) })
  form.removeAttribute('data-unsent')
  if (answer.headers.get('x-part') === null) return form.submit()
  const text = await answer.text()
  if (answer.ok) saved = form
  if (inputOf(form) === input) unedited.add(form)
  await htmx.swap({ text, target: container, sourceElement: container, swap: 'innerMorph' })
  saved = undefined
  const notice = answer.headers.get('x-notice')
  if (notice !== null) document.dispatchEvent(new CustomEvent('notice', { detail: decodeURIComponent(notice) }))
  if (!answer.ok) returnFocus(container)
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
/** A refused form arrives with its input. */
const isUnsent = (form: HTMLFormElement) => 'refused' in form.dataset || isChanged(form)

/** Whether a form has input that would be lost, apart from the form that is sent. */
const hasUnsent = (within: ParentNode, sent: EventTarget | null = null) =>
  [...within.querySelectorAll<HTMLFormElement>('form.form')].some((form) => form !== sent && isUnsent(form))
// Another block uses it.
Object.assign(globalThis, { hasUnsent })

// The browser asks before it leaves input that was not sent.
addEventListener('beforeunload', (event) => {
  if (hasUnsent(document, leavingFor)) event.preventDefault()
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
  else if (!form.hasAttribute('data-unsent')) form.reset()
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

/** The forms without unsent input before the merges in progress. */
const unedited = new Set<HTMLFormElement>()

type Control = HTMLInputElement | null | undefined

// A merge leaves a form with unsent input as it is, including its version. Therefore the server detects that someone
// else has changed the value that the person saw.
document.addEventListener('htmx:before:swap', (event) => {
  const { fragment } = (event as CustomEvent<{ tasks: { fragment: ParentNode }[] }>).detail.tasks[0] ?? {}
  for (const form of document.querySelectorAll<HTMLFormElement>('form.form, form[data-save]')) {
    if (!isUnsent(form)) unedited.add(form)
    const control = [...form.elements].find(({ id }) => id)
    const fresh = control && fragment?.querySelector<HTMLInputElement>(`#${control.id}`)
    const isKept = form.hasAttribute('data-sending') || (Boolean(fresh) && !unedited.has(form))
    form.toggleAttribute('hx-morph-skip', isKept)
    const [own, next] = [form, fresh?.form].map((of) => of?.elements.namedItem('version') as Control)
    // The person has saved this value, or only other fields have changed.
    const isSeen = form === saved || (savedForm(form) && fresh && control?.isEqualNode(fresh))
    if (own && next && isSeen) own.value = next.value
  }
})

// Controls with the focus, and selects that the user has changed, ignore the merged value.
document.addEventListener('htmx:after:swap', () => {
  for (const form of unedited) if (isChanged(form)) form.reset()
  unedited.clear()
})
