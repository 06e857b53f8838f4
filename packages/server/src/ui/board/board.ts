// `<ui-board>`: cards are dragged to another column, or moved with [ and ] while focused. The server responds
// with the current board; a refused card returns to its column.

declare function ask(url: string, init?: RequestInit): Promise<Response>

const cardOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.board-card[draggable]') : null
const columnOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('.board-column') : null

customElements.define(
  'ui-board',
  class extends HTMLElement {
    #dragged: HTMLElement | null = null
    #inFlight = 0

    connectedCallback() {
      this.addEventListener('dragstart', (event) => {
        this.#dragged = cardOf(event.target)
        this.#dragged?.classList.add('dragged')
        event.dataTransfer?.setData('text/plain', this.#dragged?.id ?? '')
      })
      this.addEventListener('dragover', (event) => {
        const column = columnOf(event.target)
        if (this.#dragged === null || column === null) return
        event.preventDefault()
        this.#mark(column)
      })
      this.addEventListener('dragend', () => this.#endDrag())
      this.addEventListener('drop', (event) => {
        const column = columnOf(event.target)
        const card = this.#dragged
        this.#endDrag()
        if (column === null || card === null) return
        event.preventDefault()
        this.#move(card, column)
      })
      this.addEventListener('keydown', (event) => {
        const card = cardOf(event.target)
        const step = { '[': -1, ']': 1 }[event.key]
        if (card === null || step === undefined) return
        const columns = [...this.querySelectorAll<HTMLElement>('.board-column')]
        const column = columns[columns.findIndex((one) => one.contains(card)) + step]
        if (column === undefined) return
        event.preventDefault()
        this.#move(card, column)
      })
    }

    #mark(column: HTMLElement | null) {
      for (const one of this.querySelectorAll('.board-column')) one.classList.toggle('over', one === column)
    }

    #endDrag() {
      this.#dragged?.classList.remove('dragged')
      this.#dragged = null
      this.#mark(null)
    }

    async #move(card: HTMLElement, column: HTMLElement) {
      const { parentElement: from, nextElementSibling: next } = card
      if (from === null || column.contains(card)) return
      const focused = card.contains(document.activeElement) ? document.activeElement?.id : undefined
      const title = card.querySelector('.row-link')?.textContent ?? ''
      // A moved or replaced element loses the focus. If the focus has moved elsewhere in the meantime, it stays there.
      const focus = () => {
        if (focused !== undefined && document.activeElement === document.body) document.getElementById(focused)?.focus()
      }
      // While an earlier move is in flight, the server may not know where the card is yet.
      const seen = this.#inFlight > 0 ? undefined : columnOf(from)?.dataset['column']
      column.querySelector('ul')?.prepend(card)
      focus()
      this.#inFlight += 1
      card.toggleAttribute('data-unsent', true)
      const moved = await this.#send(card, { to: column, seen })
      card.removeAttribute('data-unsent')
      this.#inFlight -= 1
      if (moved === undefined) from.insertBefore(card, next)
      // While another move is in flight, this response is outdated; the last response replaces the board.
      else if (this.#inFlight === 0) this.replaceWith(moved.board)
      focus()
      const detail = moved?.notice ?? `${title} could not be moved`
      document.dispatchEvent(new CustomEvent('notice', { detail }))
    }

    /** The board after the move and the server's notice; undefined if the move failed. */
    async #send(
      card: HTMLElement,
      { to, seen = '' }: { to: HTMLElement; seen: string | undefined },
    ): Promise<{ board: Element; notice: string } | undefined> {
      try {
        const fields = { [this.dataset['field'] ?? '']: to.dataset['column'] ?? '', was_in: seen }
        const answer = await ask(card.dataset['action'] ?? '', { method: 'POST', body: new URLSearchParams(fields) })
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
        const board = page.getElementById(this.id)
        if (!answer.ok || board === null) return undefined
        return { board, notice: decodeURIComponent(answer.headers.get('x-notice') ?? '') }
      } catch {
        return undefined
      }
    }
  },
)
