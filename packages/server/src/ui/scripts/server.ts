// How scripts reach the server. When it does not answer, the page stays with what was typed, says so, and tries again
// until it does.

const unavailable = [502, 503, 504]

/** The response; undefined without one. The page then waits for the server, or goes to the sign-in page and comes back. */
async function ask(url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const answer = await fetch(url, { ...init, headers: { 'hx-request': 'true' } }).catch(() => undefined)
  if (answer === undefined || unavailable.includes(answer.status)) {
    waitForServer()
    return undefined
  }
  const signIn = answer.headers.get('x-sign-in')
  if (signIn === null) return answer
  location.assign(signIn)
  return undefined
}

/** Shows the notice if the server does not answer. */
async function checkServer(): Promise<boolean> {
  const isAnswering = await isReachable()
  if (!isAnswering) waitForServer()
  return isAnswering
}

// Each file is a block of its own; these two are for the others.
Object.assign(globalThis, { ask, checkServer })

/** Any small file will do; the icon is one that every page names. */
const probe = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? location.href

const isReachable = () =>
  fetch(probe, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => !unavailable.includes(status),
    () => false,
  )

let isWaiting = false

function waitForServer(): void {
  if (isWaiting) return
  isWaiting = true
  void untilReachable().finally(() => {
    isWaiting = false
    document.dispatchEvent(new CustomEvent('notice', { detail: 'The server is reachable again' }))
    document.dispatchEvent(new Event('reachable'))
  })
}

async function untilReachable(): Promise<void> {
  const notice = document.createElement('div')
  notice.className = 'unreachable'
  notice.role = 'alert'
  const text = document.createElement('p')
  const title = document.createElement('strong')
  title.textContent = 'The server cannot be reached.'
  text.append(title, ' What you typed stays on this page. Trying again…')
  const now = document.createElement('button')
  now.type = 'button'
  now.className = 'button small'
  now.textContent = 'Try now'
  notice.append(text, now)
  for (let pauseMs = 2000; ; pauseMs = Math.min(2 * pauseMs, 30_000)) {
    // Outside an open dialog nothing can be pressed.
    const place = document.querySelector('dialog[open]') ?? document.body
    if (notice.parentElement !== place) place.append(notice)
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
      now.onclick = resolve
    })
    if (await isReachable()) break
  }
  notice.remove()
}

// A page is left only while the server answers; the browser's own error page would replace it with all that was typed.

let isLeaving = false

async function leave(go: () => void): Promise<void> {
  if (!(await checkServer())) return
  isLeaving = true
  go()
  isLeaving = false
}

document.addEventListener('click', (event) => {
  if (isLeaving || event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.origin !== location.origin || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  void leave(() => link.click())
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (isLeaving || event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method === 'dialog') return
  event.preventDefault()
  const { submitter } = event
  void leave(() => form.requestSubmit(submitter))
})
