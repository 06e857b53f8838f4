// A person in a field of a part with `data-editing` reports it to that address, so that others see who is editing.

const repeatMs = 20_000
let reportedTo: string | undefined

const report = (url: string, state: 'editing' | 'left') =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ state }),
    headers: { 'hx-request': 'true' },
    keepalive: true,
  }).catch(() => undefined)

const urlOf = (field: Element | null) =>
  field?.matches('input, select, textarea')
    ? field.closest<HTMLElement>('[data-editing]')?.dataset['editing']
    : undefined

function reportTo(url: string | undefined, isRepeated = false): void {
  if (reportedTo !== undefined && reportedTo !== url) void report(reportedTo, 'left')
  if (url !== undefined && (isRepeated || reportedTo !== url)) void report(url, 'editing')
  reportedTo = url
}

const repeat = () => {
  if (document.hasFocus()) reportTo(urlOf(document.activeElement), true)
}

document.addEventListener('focusin', () => reportTo(urlOf(document.activeElement)))
document.addEventListener('focusout', () => setTimeout(() => reportTo(urlOf(document.activeElement))))
addEventListener('focus', repeat)
addEventListener('pagehide', () => reportTo(undefined))
setInterval(repeat, repeatMs)
// A field may have the focus before this script runs.
repeat()
