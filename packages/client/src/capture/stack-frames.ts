/** One line of a stack, the newest call first. */
export interface StackFrame {
  readonly file: string
  readonly line: number
  readonly function?: string
}

const mostFrames = 50

// A stack contains the message, which may contain user input. So it is parsed by positions, because an
// expression with two open ends would try every pair of them.
const longestLine = 2_000

export function readFrames(stack: string): StackFrame[] {
  const frames: StackFrame[] = []
  for (const line of stack.split('\n')) {
    const frame = line.length <= longestLine && readFrame(line.trim())
    if (frame && frames.push(frame) >= mostFrames) break
  }
  return frames
}

/** V8 (Node, Chrome, Bun, Deno) writes `at name (file:1:2)` or `at file:1:2`, Firefox and Safari `name@file:1:2`. */
function readFrame(text: string): StackFrame | undefined {
  const isV8 = text.startsWith('at ')
  const call = isV8 ? text.slice(3).replace(/^async /, '') : text
  const gap = isV8 ? call.lastIndexOf(' (') : call.indexOf('@')
  if (!isV8 && gap === -1) return undefined
  const [, file, line] = position.exec(call.slice(gap === -1 ? 0 : gap + (isV8 ? 2 : 1))) ?? []
  if (!file) return undefined
  const name = gap > 0 && call.slice(0, gap)
  return { file: toPath(file), line: Number(line), ...(name && { function: name }) }
}

const position = /^([^()\s][^()]{0,1999}?):(\d{1,9})(?::\d{1,9})?\)?$/

const toPath = (file: string) => file.replace(/^file:\/\/\//, '/').split(/[?#]/, 1)[0] ?? ''

/** The first frame in the application's own code, or the first frame if there is none. */
export const ownFrame = (frames: readonly StackFrame[]): StackFrame | undefined =>
  frames.find(({ file }) => !/^(node|internal|bun|deno|native|<anonymous>)\b|[\\/]node_modules[\\/]/.test(file)) ??
  frames[0]
