// The command palette, opened with Ctrl K or ⌘ K. It shows the results of the search page.

declare function ask(url: string, init?: RequestInit): Promise<Response>

const palette = document.querySelector<HTMLDialogElement>('#palette')
const paletteForm = palette?.querySelector('form')
const paletteInput = palette?.querySelector<HTMLInputElement>('input')
const paletteResults = palette?.querySelector('#palette-results')

/** Only the response to the latest input is shown. */
let asked = 0

async function find(): Promise<void> {
  if (!paletteForm || !paletteInput || !paletteResults) return
  asked += 1
  const mine = asked
  const url = `${paletteForm.action}?q=${encodeURIComponent(paletteInput.value)}`
  const answer = await ask(url)
  if (mine !== asked) return
  if (!answer.ok) {
    paletteResults.innerHTML =
      '<p class="palette-none quiet">The search has failed. Press Enter to try again on the search page.</p>'
    return
  }
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  paletteResults.replaceChildren(...parsed.body.childNodes)
}

/** Resolves when the shown results match the latest input. */
let finding = Promise.resolve()
function search(): void {
  finding = find().catch(() => undefined)
}

function open(): void {
  if (!palette || palette.open) return
  for (const other of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) other.close()
  palette.showModal()
  paletteInput?.select()
  search()
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'k' || !(event.metaKey || event.ctrlKey) || !palette) return
  event.preventDefault()
  open()
})
document.addEventListener('click', (event) => {
  if (!palette || !(event.target instanceof Element) || event.target.closest('[data-palette]') === null) return
  event.preventDefault()
  open()
})
paletteInput?.addEventListener('input', search)
palette?.addEventListener('click', ({ target }) => {
  if (target === palette) palette.close()
})

const foundLinks = () => [...(palette?.querySelectorAll<HTMLAnchorElement>('.palette-list a') ?? [])]

/** Arrow keys move through the results. Enter in the field opens the first result, or the search page if there is none. */
palette?.addEventListener('keydown', (event) => {
  const links = foundLinks()
  const at = links.findIndex((link) => link.matches(':focus'))
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = at + (event.key === 'ArrowDown' ? 1 : -1)
    if (next < 0) paletteInput?.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  } else if (event.key === 'Enter' && event.target === paletteInput) {
    event.preventDefault()
    void finding.then(() => {
      const first = foundLinks()[0]
      if (first === undefined) paletteForm?.submit()
      else first.click()
    })
  }
})
