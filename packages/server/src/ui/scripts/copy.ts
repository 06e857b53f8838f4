/** `<ui-copy of="id">` copies the text of an element when the button inside is pressed. */
customElements.define(
  'ui-copy',
  class extends HTMLElement {
    connectedCallback() {
      this.addEventListener('click', async () => {
        const source = document.getElementById(this.getAttribute('of') ?? '')
        if (source === null) return
        try {
          await navigator.clipboard.writeText(source.textContent ?? '')
          tell('Copied')
        } catch {
          // Without https a page may not write to the clipboard: then the text is selected for the reader to copy.
          getSelection()?.selectAllChildren(source)
          tell('Selected; copy it with the keyboard')
        }
      })
    }
  },
)

const tell = (text: string) => document.dispatchEvent(new CustomEvent('notice', { detail: text }))
