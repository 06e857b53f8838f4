import { type Frame, toFrame } from '../frame.ts'
import { placeInText } from '../place-in-text.ts'
import { frameOfExpression, readerOf } from './frame-expression.ts'
import { type StackHeader, type StackReader, stackHeader } from './stack-reader.ts'

// Lua, Perl, Julia and R.

/** `	cart.lua:42: in function 'total'` */
export const lua = readerOf(
  frameOfExpression({ frame: /^\s{1,16}([^\s:]{1,600}):(\d{1,9}): in (.{1,300})$/, file: 1, line: 2, function: 3 }),
  (text) => stackHeader(text.replace(/\n?stack traceback:[\s\S]{0,2000}$/, '')),
)

const perlCall = frameOfExpression({
  frame: /^\s{1,16}([\w:]{1,300})\(.{0,2000}\) called at (\S{1,600}) line (\d{1,9})\.?$/,
  file: 2,
  line: 3,
  function: 1,
})

/** `	Shop::Cart::total("x") called at /srv/shop/cart.pl line 42`, below the line of `die`, which has a place itself. */
export const perl: StackReader = (lines) => {
  const calls = lines.map(perlCall).filter((frame) => frame !== null)
  const [head = ''] = lines
  const place = placeInText(head)
  if (calls.length === 0 || place === null) return null
  return { ...stackHeader(place.said), frames: [toFrame(place), ...calls], causes: [] }
}

const juliaPlace = /^(\S{1,600}\.jl):(\d{1,9})$/
const juliaLine = /^\s{1,16}(?:@ (?:(\w{1,100}) )?|\[\d{1,4}\] .{0,1000} at )(\S{1,600})(?: \[inlined\])?$/

/** ` [2] total(cart)` with `   @ Main /srv/shop/cart.jl:42` below it, or ` at ` on one line: what comes with Julia is relative. */
const juliaFrame = (line: string): Frame | null => {
  const [, module, where = ''] = juliaLine.exec(line.trimEnd()) ?? []
  const [, file, number] = juliaPlace.exec(where) ?? []
  if (file === undefined) return null
  return toFrame({ file, line: number, ...(file.startsWith('./') || module === 'Base' ? { inApp: false } : {}) })
}

const juliaTitle = (text: string): StackHeader =>
  stackHeader(text.replace(/\nStacktrace:[\s\S]{0,2000}$/, '').replace(/^(?:ERROR: )?(?:LoadError: )?/, ''))

export const julia = readerOf(juliaFrame, juliaTitle)

/** `2: total(cart) at cart.R#42` */
export const r = readerOf(
  frameOfExpression({
    frame: /^\s{0,4}\d{1,4}: (.{1,600}) at (\S{1,600}\.[rR])#(\d{1,9})$/,
    file: 2,
    line: 3,
    function: 1,
  }),
)
