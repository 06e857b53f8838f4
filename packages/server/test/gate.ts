/** A moment that a test decides about: whoever waits for `passed` goes on after `open()`. */
export function gate() {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
