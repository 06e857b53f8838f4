// A form that leads back to its page takes the focus with it, also in the drawer. The focus returns to the button that
// sent the form or, if that has no id, to the first field, where the next task or comment is written. After a dialog or
// a menu, it returns to the button that opened it.

function idAfter({ target, submitter }: SubmitEvent): string {
  const form = target as HTMLFormElement
  const opened = form.closest('.dialog, :popover-open')?.id
  if (opened) return document.querySelector(`[commandfor="${opened}"], [popovertarget="${opened}"]`)?.id ?? ''
  return submitter?.id || ([...form.elements].find(({ id }) => id)?.id ?? '')
}

/** The first invalid field has the focus, or else the control with the id. If that is gone or hidden, the heading has it. */
function returnFocus(within: HTMLElement, id = ''): void {
  const refused = within.querySelector<HTMLElement>('[autofocus]:not(h2)')
  for (const element of [refused ?? document.getElementById(id), within.querySelector('h1'), within]) {
    element?.focus()
    if (element === document.activeElement) return
  }
}
// Other blocks use them.
Object.assign(globalThis, { idAfter, returnFocus })

const focusKey = 'focus'
// On the window, after the listeners that send a form themselves.
addEventListener('submit', (event) => {
  const { target, defaultPrevented } = event
  if (!defaultPrevented && target instanceof HTMLFormElement && target.method === 'post')
    sessionStorage.setItem(focusKey, `${location.pathname} ${idAfter(event)}`)
})
const [path, id] = sessionStorage.getItem(focusKey)?.split(' ') ?? []
sessionStorage.removeItem(focusKey)
const main = document.querySelector('main')
if (main !== null && path === location.pathname) returnFocus(main, id)
