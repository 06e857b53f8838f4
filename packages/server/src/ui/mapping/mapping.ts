// The live preview of the mapping page. Only parts marked with `data-out` are replaced, never inputs.

const form = document.querySelector<HTMLFormElement>('form[data-mapping]')
const pauseMs = 250

let timer: ReturnType<typeof setTimeout> | undefined
let latest = 0

async function preview(): Promise<void> {
  if (form === null) return
  latest += 1
  const run = latest
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const url = `${location.pathname}?${new URLSearchParams(fields)}`
  const answer = await fetch(url, { headers: { 'hx-request': 'true' } }).catch(() => undefined)
  if (answer?.ok !== true || run !== latest) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-out]'))
    part.replaceChildren(...(fresh.getElementById(part.id)?.childNodes ?? []))
  for (const input of form.querySelectorAll('[aria-describedby]')) {
    const error = document.getElementById(input.getAttribute('aria-describedby') ?? '')
    input.toggleAttribute('aria-invalid', false)
    if (error?.firstChild) input.setAttribute('aria-invalid', 'true')
  }
}

form?.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(preview, pauseMs)
})

let lastInput: HTMLInputElement | undefined
function noteInput(target: EventTarget | null): void {
  if (target instanceof HTMLInputElement && target.list !== null) lastInput = target
}
// One may have the focus before this script runs.
noteInput(document.activeElement)
form?.addEventListener('focusin', ({ target }) => noteInput(target))

// A click on a value of the body inserts its path into the last used input.
document.addEventListener('click', ({ target }) => {
  const path = target instanceof Element ? target.closest<HTMLElement>('[data-path]')?.dataset['path'] : undefined
  if (path === undefined || lastInput === undefined) return
  lastInput.focus()
  lastInput.setRangeText(path, lastInput.selectionStart ?? 0, lastInput.selectionEnd ?? 0, 'end')
  lastInput.dispatchEvent(new Event('input', { bubbles: true }))
})

for (const button of document.querySelectorAll<HTMLElement>('[data-preview]')) button.hidden = true
