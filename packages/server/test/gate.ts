/** A promise that a test resolves: `passed` resolves after `open()`. */
export function gate() {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}
