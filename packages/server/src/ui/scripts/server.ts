// Requests to the server. While it is unreachable, the page keeps its input, shows a notice, and retries.

/** Returns undefined without a response. The page then waits for the server, or opens the sign-in page and returns. */
async function ask(url: string, init: RequestInit = {}): Promise<Response | undefined> {
  const answer = await fetch(url, { ...init, headers: { 'hx-request': 'true' } }).catch(() => undefined)
  if (answer === undefined || [502, 503, 504].includes(answer.status)) {
    void waitForServer()
    return undefined
  }
  const signIn = answer.headers.get('x-sign-in')
  if (signIn === null) return answer
  location.assign(signIn)
  return undefined
}

/** Requests a small file that every page links to. Shows the notice if there is no response. */
async function isReachable(): Promise<boolean> {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''
  const answer = await ask(icon, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(10_000) })
  return answer !== undefined
}

// Each file is a separate block; these functions are used by other blocks.
Object.assign(globalThis, { ask, isReachable })

const unreachable = document.createElement('div')
unreachable.className = 'unreachable'
unreachable.role = 'alert'
unreachable.innerHTML =
  '<p><strong>The server cannot be reached.</strong> What you typed stays on this page. Retrying…</p><button type="button" class="button small">Try now</button>'

let isWaiting = false

/** An open dialog makes the rest of the page inert, so the notice is shown in it. */
function showNotice(): void {
  const place = document.querySelector('dialog[open]') ?? document.body
  if (isWaiting && unreachable.parentElement !== place) place.append(unreachable)
}
document.addEventListener('close', showNotice, true)

async function waitForServer(): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  for (let pauseMs = 2000; ; pauseMs = Math.min(2 * pauseMs, 30_000)) {
    showNotice()
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs)
      unreachable.onclick = resolve
    })
    if (await isReachable()) break
  }
  isWaiting = false
  unreachable.remove()
  document.dispatchEvent(new CustomEvent('notice', { detail: 'The server is reachable again' }))
  document.dispatchEvent(new Event('reachable'))
}

// The browser's error page would replace the page and its input, so a link or form first checks that the server answers.
// An open live stream shows that without a request.

let isLeaving = false

const needsCheck = (event: Event) =>
  !(isLeaving || event.defaultPrevented || document.querySelector('#live-state[data-state=on]'))

async function leave(event: Event, go: () => void): Promise<void> {
  event.preventDefault()
  if (!(await isReachable())) return
  isLeaving = true
  go()
  isLeaving = false
}

document.addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (link?.origin !== location.origin || link.getAttribute('href')?.startsWith('#') || !needsCheck(event)) return
  void leave(event, () => link.click())
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method === 'dialog' || !needsCheck(event)) return
  const { submitter } = event
  void leave(event, () => form.requestSubmit(submitter))
})
