import { type Frame, toFrame } from '../frame.ts'
import { frameOfExpression, readerOf } from './frame-expression.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

// Haskell, OCaml and Erlang.

const ofPackage = /^\s{1,16}(\S{1,200}), called at (\S{1,600}):(\d{1,9}):\d{1,9} in (\S{1,200})$/

/** `  head, called at src/Cart.hs:42:9 in main:Cart`: packages that come with the compiler are libraries. */
const haskellFrame = (line: string): Frame | null => {
  const [, name, file, number, owner = ''] = ofPackage.exec(line.trimEnd()) ?? []
  if (file === undefined) return null
  return toFrame({
    file,
    line: number,
    function: name,
    inApp: !file.startsWith('libraries/') && !/^ghc|^base/.test(owner),
  })
}

export const haskell = readerOf(haskellFrame, (text) =>
  stackHeader(text.replace(/\n?CallStack \(from HasCallStack\):/, '')),
)

const ocamlPlace = frameOfExpression({
  frame:
    /^(?:Raised (?:at|by primitive operation at)|Re-raised at|Called from) (?:(\S{1,200}) in )?file "([^"]{1,600})"(?: \(inlined\))?, line (\d{1,9})/,
  file: 2,
  line: 3,
  function: 1,
})
const ocamlException = /^(?:Fatal error: )?exception ([A-Z][\w.]{0,250})[ (]{0,2}"?([^\n]{0,2000}?)"?\)?$/m

const ocamlFrame = (line: string): Frame | null => {
  const frame = ocamlPlace(line)
  return frame?.function?.startsWith('Stdlib') ? { ...frame, inApp: false } : frame
}

const ocamlTitle = (text: string): StackHeader => {
  const [, exception, message] = ocamlException.exec(text) ?? []
  return exception === undefined ? stackHeader(text) : { exception, message: message || exception }
}

/** `Called from Cart.total in file "src/cart.ml", line 42, characters 10-35` below `Fatal error: exception Not_found`. */
export const ocaml = readerOf(ocamlFrame, ocamlTitle)

const erlangFrame = /\{(\w{1,100}),(\w{1,100}),[^{}]{0,200},\[\{file,"([^"]{1,600})"\},\{line,(\d{1,9})\}/g
const erlangLibraries = /^(?:lists|maps|proc_lib|gen_\w{1,40}|supervisor|erl_\w{1,40}|ets|timer|io|file)$/

/** `{badarith,[{cart,total,1,[{file,"src/cart.erl"},{line,42}]},…`, the newest first. */
export const erlang: StackReader = (lines) => {
  const text = lines.join('')
  const frames = [...text.matchAll(erlangFrame)].map(([, owner = '', name, file, line]) =>
    toFrame({ file, line, function: `${owner}:${name}`, ...(erlangLibraries.test(owner) ? { inApp: false } : {}) }),
  )
  return frames.length === 0 ? null : { exception: null, message: lines.join('\n').trim(), frames, causes: [] }
}
