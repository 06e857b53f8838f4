// Compilers, interpreters and assertions write the place into their sentence.

export type PlaceInText = {
  readonly file: string
  readonly line: string
  /** The sentence without the place. */
  readonly said: string
}

const longestRead = 2_000
const extensions =
  'c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|rs|go|lua|py|rb|erb|pl|pm|t|php|js|mjs|cjs|ts|jsx|tsx|vue|java|kt|kts|scala|groovy|clj|cs|fs|vb|exs?|erl|hs|ml|jl|r|nim|zig|d|cr|dart|tcl|sh|bash|ps1|sql|f90|pas'

/** `… at cart.pl line 42.`, as Perl ends what it says. */
const perl = / at (\S{1,600}) line (\d{1,9})(?:, <\w{1,40}> (?:line|chunk) \d{1,12})?\.?$/
/** `…: file Cart.swift, line 42`, of assertions. */
const named = /[,:]? file "?([^\s",]{1,600})"?, line (\d{1,9})\.?$/
/** `lua: cart.lua:42: …`, `Cart.swift:42: …`, `cart.c:42:7: error: …` */
const leading = new RegExp(`^(?:[\\w./-]{1,80}: )?([^\\s:]{1,600}\\.(?:${extensions})):(\\d{1,9})(?::\\d{1,9})?: `, 'i')
/** `cart.sh: line 42: …` */
const shell = /^([^\s:]{1,600}): line (\d{1,9}): /
/** `… at cart.rb:42`, `… (cart.rb:42)` */
const trailing = new RegExp(
  ` (?:(?:at|in) |\\()([^\\s:()]{1,600}\\.(?:${extensions})):(\\d{1,9})(?::\\d{1,9})?\\)?\\.?$`,
  'i',
)

const mayBe = /line \d|\.[A-Za-z]\w{0,4}:\d/

/** Where the first line of a message says that it happened, or null. */
export const placeInText = (text: string): PlaceInText | null => {
  const [line = ''] = text.slice(0, longestRead).split('\n', 1)
  if (!mayBe.test(line)) return null
  const match = [perl, named, leading, shell, trailing].map((form) => form.exec(line)).find((found) => found !== null)
  const [all = '', file, number] = match ?? []
  if (file === undefined || number === undefined) return null
  return { file, line: number, said: line.replace(all, '') }
}
