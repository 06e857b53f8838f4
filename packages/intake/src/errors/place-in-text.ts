// Compilers, interpreters and assertions write the place into their sentence.

export type PlaceInText = {
  readonly file: string
  readonly line: string
  /** The sentence without the place. */
  readonly said: string
}

const longestRead = 4_000
const longestLine = 1_000
const mostLines = 20
const extensions =
  'c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|rs|go|lua|py|rb|erb|pl|pm|t|php|js|mjs|cjs|ts|jsx|tsx|vue|java|kt|kts|scala|groovy|clj|cs|fs|vb|exs?|erl|hs|ml|jl|r|nim|zig|d|cr|dart|tcl|sh|bash|ps1|sql|f90|pas'

/** `… at cart.pl line 42.`, as Perl ends what it says. */
const perl = / at (\S{1,600}) line (\d{1,9})(?:, <\w{1,40}> (?:line|chunk) \d{1,12})?\.?$/
/** `…: file Cart.swift, line 42`, of assertions. */
const named = /[,:]? file "?([^\s",]{1,600})"?, line (\d{1,9})\.?$/
/** `… [File:cart.cpp] [Line: 42]` of Unreal. */
const bracketed = / ?\[File: ?([^\]\n]{1,600})\] \[Line: ?(\d{1,9})\]/
/** `lua: cart.lua:42: …`, `Cart.swift:42: …`, `cart.c:42:7: error: …` */
const leading = new RegExp(`^(?:[\\w./-]{1,80}: )?([^\\s:]{1,600}\\.(?:${extensions})):(\\d{1,9})(?::\\d{1,9})?: `, 'i')
/** `cart.sh: line 42: …` */
const shell = /^([^\s:]{1,600}): line (\d{1,9}): /
/** `cart.ts(42,7): error …` of Microsoft's compilers, `Cart.java:[42,9] …` of Maven. */
const compiler = /^(?:\[ERROR\] )?([^\s()]{1,600}\.[a-z]{1,6})(?:\(|:\[)(\d{1,9}),\d{1,9}[)\]]:? /i
/** `… at cart.rb:42`, `… (cart.rb:42)` */
const trailing = new RegExp(
  ` (?:(?:at|in) |\\()([^\\s:()]{1,600}\\.(?:${extensions})):(\\d{1,9})(?::\\d{1,9})?\\)?\\.?$`,
  'i',
)
/** `   at: Cart.pay (res://cart.gd:42)` of Godot, on a line of its own. */
const godot = /^\s{0,16}at: .{0,300}\(((?:res|user):\/\/[^\s:()]{1,600}):(\d{1,9})\)$/
/** `  --> src/cart.rs:42:9` of Rust, `  on main.tf line 42, in …` of Terraform, `At C:\\cart.ps1:42 char:5` of PowerShell. */
const below =
  /^\s{0,16}(?:--> (\S{1,600}?):(\d{1,9}):\d{1,9}|on (\S{1,600}) line (\d{1,9})(?:,|:|$)|At (\S.{0,600}?):(\d{1,9}) char:\d)/

const forms = [perl, named, bracketed, leading, shell, compiler, trailing, below]
/** Below the first line compilers name the place; what else has one there is of something else. */
const formsBelow = [leading, compiler, below, godot]
const mayBe = /line \d|\[Line: ?\d|\.[A-Za-z]\w{0,4}(?::\d|\(\d|:\[)/

const placeIn = (line: string, among: readonly RegExp[]): PlaceInText | null => {
  if (!mayBe.test(line)) return null
  const match = among.map((form) => form.exec(line)).find((found) => found !== null)
  const [all = '', ...groups] = match ?? []
  const [file, number] = groups.filter((group) => group !== undefined)
  if (file === undefined || number === undefined) return null
  return { file, line: number, said: line.replace(all, '') }
}

/** Where a message says that it happened, or null. */
export const placeInText = (text: string): PlaceInText | null => {
  const cut = text.slice(0, longestRead)
  if (!mayBe.test(cut)) return null
  for (const [index, line] of cut.split('\n', mostLines).entries()) {
    const place = placeIn(line.trimEnd().slice(0, longestLine), index === 0 ? forms : formsBelow)
    if (place !== null) return place
  }
  return null
}
