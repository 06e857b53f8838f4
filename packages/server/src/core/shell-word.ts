/** A word of a command to paste into a shell, quoted if necessary. */
export const toShellWord = (text: string): string =>
  /^[\w@.,:/+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
