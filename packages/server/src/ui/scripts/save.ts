// A form with `data-save` has one control and is sent when that changes. The answer is the page as it is now, or the form
// with what somebody else has changed meanwhile; it is merged into the page or the drawer, so that the focus stays.

declare function ask(url: string, init?: RequestInit): Promise<Response | undefined>
declare const htmx: {
  swap(how: { text: string; target: Element; sourceElement: Element; swap: string }): Promise<void>
}

const savedForm = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>('form[data-save]') : null

/** One after the other, each with the version that the one before has made. */
let saving = Promise.resolve()
function save(form: HTMLFormElement): void {
  saving = saving.then(() => send(form)).catch(() => form.submit())
}

async function send(form: HTMLFormElement): Promise<void> {
  const place = form.closest('.drawer-body') ?? document.querySelector('main')
  if (place === null || !isChanged(form)) return
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const answer = await ask(form.action, { method: 'POST', body: new URLSearchParams(fields) })
  if (answer === undefined) return
  if (answer.headers.get('x-part') === null) return form.submit()
  await htmx.swap({ text: await answer.text(), target: place, sourceElement: place, swap: 'innerMorph' })
  const notice = answer.headers.get('x-notice')
  if (notice !== null) document.dispatchEvent(new CustomEvent('notice', { detail: decodeURIComponent(notice) }))
  if (!answer.ok) place.querySelector<HTMLElement>('h1')?.focus()
}

const isChanged = (form: HTMLFormElement) =>
  [...form.elements].some((control) =>
    control instanceof HTMLSelectElement
      ? control.selectedOptions[0]?.defaultSelected === false
      : control instanceof HTMLInputElement && control.value !== control.defaultValue,
  )

// On the way to a value the keyboard passes others, such as the options between two or the year 0002. So what it changes
// is saved when the control is left, or with Enter.
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
document.addEventListener(
  'submit',
  (event) => {
    const form = savedForm(event.target)
    if (form === null) return
    event.preventDefault()
    // The drawer would send it too.
    event.stopPropagation()
    save(form)
  },
  true,
)

// What could not be sent while the server was gone.
document.addEventListener('reachable', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-save]')) if (isChanged(form)) save(form)
})

// A select that its reader has changed once no longer follows its `selected` attributes.
document.addEventListener('htmx:after:swap', () => {
  for (const option of document.querySelectorAll<HTMLOptionElement>('form[data-save] option[selected]'))
    if (option.closest('select') !== document.activeElement) option.selected = true
})
