/** One line of a stack, the newest call first. */
export interface StackFrame {
  readonly file: string
  readonly line: number
  readonly function?: string
}

const mostFrames = 50

// V8 (Node, Chrome, Bun, Deno) writes `at name (file:1:2)` or `at file:1:2`, Firefox and Safari `name@file:1:2`.
const v8 = /^\s*at (?:async )?(?:(.*?) \()?([^()\s][^()]*?):(\d+)(?::\d+)?\)?$/
const gecko = /^(.*?)@(\S+?):(\d+)(?::\d+)?$/

export function readFrames(stack: string): StackFrame[] {
  const frames = stack.split('\n').flatMap((text) => {
    const [, name, file, line] = v8.exec(text) ?? gecko.exec(text) ?? []
    return file ? [{ file: toPath(file), line: Number(line), ...(name && { function: name }) }] : []
  })
  return frames.slice(0, mostFrames)
}

const toPath = (file: string) => file.replace(/^file:\/\/(?=\/)/, '').replace(/[?#].*$/, '')

/** Where it went wrong in the application's own code, or anywhere when all of it is others'. */
export const ownFrame = (frames: readonly StackFrame[]): StackFrame | undefined =>
  frames.find(({ file }) => !/^(node|internal|bun|deno|native|<anonymous>)\b|[\\/]node_modules[\\/]/.test(file)) ??
  frames[0]
