// Requests to the server. While it is unreachable or the session has ended, the page keeps its input, shows a notice, and
// sends the request again afterwards. After a sign-in as another person, or if the person may no longer open the workspace,
// the page is reloaded instead; if it has unsent input, the person does that.

declare function hasUnsent(within: ParentNode): boolean

type ServerState = 'ready' | 'unreachable' | 'signed-out' | 'refused'

const { sessionUrl = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '', person } =
  document.body.dataset

const fetchPart = (url: string, init: RequestInit) =>
  fetch(url, { ...init, headers: { 'hx-request': 'true' } }).catch(() => undefined)

const hasFailed = (response: Response | undefined) =>
  response === undefined || [502, 503, 504].includes(response.status)

/** Resolves with the first response of a reachable server to the signed-in person. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  // The notice of an earlier change would look like the answer to this one.
  if (init.method === 'POST') document.getElementById('toast')?.replaceChildren()
  for (;;) {
    const response = await fetchPart(url, init)
    if (response !== undefined && !hasFailed(response) && response.headers.get('x-sign-in') === null) return response
    await untilReady()
  }
}

let signInUrl = ''
let isSent = false
const maxLeaveMs = 10_000

async function readState(): Promise<ServerState> {
  const response = await fetchPart(sessionUrl, { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
  if (response === undefined || hasFailed(response)) return 'unreachable'
  signInUrl = response.headers.get('x-sign-in') ?? ''
  if (signInUrl !== '') return 'signed-out'
  if ((response.headers.get('x-person') ?? undefined) === person) return 'ready'
  if (hasUnsent(document)) return 'refused'
  // A form that ends the access to this page leads to another one itself.
  setTimeout(() => location.reload(), isSent ? maxLeaveMs : 0)
  return new Promise(() => undefined)
}

/** Shows the notice if the server cannot be used. */
async function checkServer(): Promise<ServerState> {
  const state = await readState()
  if (state !== 'ready') void untilReady()
  return state
}

// Each file is a separate block; these functions are used by other blocks.
Object.assign(globalThis, { ask, checkServer })

const notice = document.createElement('div')
notice.className = 'unreachable'
notice.role = 'alert'

const noticeTexts = {
  unreachable:
    '<p><strong>The server cannot be reached.</strong> Nothing on this page is lost. Retrying…</p><button type="button" class="button small">Try now</button>',
  'signed-out':
    '<p><strong>Your session has ended.</strong> Nothing on this page is lost. Sign in in another tab, then continue here.</p><a class="button primary small" target="_blank">Sign in</a><button type="button" class="button small">Continue</button>',
  refused:
    '<p><strong>Your access has ended</strong>, or another person has signed in. Nothing is lost: copy what you wrote, then reload.</p><a class="button small">Reload</a>',
}

let shownState: ServerState = 'ready'

/** An open dialog makes the rest of the page inert, so the notice is shown in it. */
function showNotice(): void {
  const parent = document.querySelector('dialog[open]') ?? document.body
  if (shownState === 'ready') notice.remove()
  else if (notice.parentElement !== parent) parent.append(notice)
}
document.addEventListener('close', showNotice, true)

function setState(state: ServerState): void {
  if (state !== shownState && state !== 'ready') notice.innerHTML = noticeTexts[state]
  shownState = state
  notice.querySelector('a')?.setAttribute('href', signInUrl)
  document.body.toggleAttribute('data-waiting', state !== 'ready')
  showNotice()
}

const firstRetryMs = 2000
const maxRetryMs = 30_000

let waiting: Promise<void> | undefined
function untilReady(): Promise<void> {
  waiting ??= waitForServer().finally(() => {
    waiting = undefined
  })
  return waiting
}

async function waitForServer(): Promise<void> {
  let state = await readState()
  for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(2 * pauseMs, maxRetryMs)) {
    setState(state === 'ready' ? 'unreachable' : state)
    await new Promise((resolve) => {
      if (state === 'signed-out') addEventListener('focus', resolve, { once: true })
      else setTimeout(resolve, pauseMs)
      // The live stream connects earlier than a long pause ends.
      document.addEventListener('live', resolve, { once: true })
      notice.querySelector('button')?.addEventListener('click', resolve)
    })
    state = await readState()
    if (state === 'ready') break
  }
  setState('ready')
  document.dispatchEvent(new CustomEvent('notice', { detail: 'Connected again' }))
  document.dispatchEvent(new Event('reachable'))
}

// The browser's error page or the sign-in page would replace the page and its input. So a link first checks that the
// server answers, unless an open live stream shows it, and a form that it answers to the same person.

let isLeaving = false

/** Of a form that waits to be sent. The second tells `save.ts` to keep the first. */
const sending = ['hx-morph-skip', 'data-sending']

document.addEventListener('click', (event) => {
  if (isLeaving || event.defaultPrevented || document.querySelector('#live-state[data-state=on]')) return
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  if (link?.origin !== location.origin || link.target !== '' || link.getAttribute('href')?.startsWith('#')) return
  event.preventDefault()
  void readState().then((state) => (state === 'unreachable' ? untilReady() : leave(() => link.click())))
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (isLeaving || event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return
  event.preventDefault()
  const { submitter } = event
  // A live update meanwhile must not replace what is sent, such as "resolved" by "open".
  for (const name of sending) form.toggleAttribute(name, true)
  void readState()
    .then((state) => (state === 'ready' ? undefined : untilReady()))
    .then(() => {
      for (const name of sending) form.removeAttribute(name)
      isSent = true
      leave(() => form.requestSubmit(submitter))
    })
})

function leave(go: () => void): void {
  isLeaving = true
  go()
  isLeaving = false
}
