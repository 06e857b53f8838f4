import { type Frame, toFrame } from '../frame.ts'
import { linesBefore, type StackReader, stackHeader } from './stack-reader.ts'

// The runtime localizes "at … in …:line 12".
const atWord = '(?:at|bei|à|en|em|w|в|在|場所)'
const lineWord = '(?:line|Zeile|ligne|línea|riga|linha|wiersz|строка|行号|行) ?'
const withFile = new RegExp(
  `^\\s{0,16}${atWord} (.{1,600}?) (?:in|dans|en|em|w|в|位置|場所) (.{1,600}?):(?:${lineWord})?(\\d{1,9})\\.?$`,
)
const bare = new RegExp(
  `^\\s{0,16}${atWord} ((?:[\\w.\`<>+,|\\[\\]-]{1,400})\\.[\\w\`<>.|\\[\\],]{1,200}(?: \\(\\)|\\([^()/]{0,400}\\)))$`,
)
const unity = /^(.{1,400}?) ?\(.{0,200}\) \(at (.{1,400}):(\d{1,9})\)$/
const inner = /^\s*-{1,4}> (?:\(Inner Exception #\d{1,4}\) )?(.*)$/

const parseFrame = (line: string): Frame | null => {
  const text = line.trimEnd()
  const match = withFile.exec(text)
  if (match) return toFrame({ file: match[2], line: match[3], function: match[1] })
  const alone = bare.exec(text)
  if (alone) return toFrame({ function: alone[1] })
  const inUnity = unity.exec(text)
  return inUnity && toFrame({ file: inUnity[2], line: inUnity[3], function: inUnity[1] })
}

/** .NET prints the frames of the inner exception first. They are the newest, so the order is already correct. */
export const dotnet: StackReader = (lines) => {
  const frames = lines.map(parseFrame).filter((frame) => frame !== null)
  if (frames.length === 0) return null
  const causes = lines.flatMap((line) => {
    const text = inner.exec(line)?.[1]
    return text ? [stackHeader(text.replace(/---> .*/, ''))] : []
  })
  const head = linesBefore(lines, (line) => parseFrame(line) !== null || inner.test(line))
  // Older runtimes put the inner exception on the same line: `Outer: text ---> Inner: text`.
  const [own = '', ...chained] = head.split(' ---> ')
  return { ...stackHeader(own), frames, causes: [...chained.map(stackHeader), ...causes] }
}
