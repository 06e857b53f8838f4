/** More names than one body can have. */
const maxJudged = 5_000

/** From this length on, V8 stores a substring as a slice, which keeps the whole text alive. */
const minPartLength = 13

/** Copies a text, so that the cache does not keep the whole body alive. */
const ownText = (text: string): string => (text.length < minPartLength ? text : JSON.parse(JSON.stringify(text)))

/** Caches a function of a name, because reports share the same few names. */
export const memoize = <Judgement>(judge: (name: string) => Judgement, most = maxJudged): typeof judge => {
  const judged = new Map<string, { readonly judgement: Judgement }>()
  return (name) => {
    const known = judged.get(name)
    if (known !== undefined) return known.judgement
    const own = ownText(name)
    const judgement = judge(own)
    if (judged.size >= most) judged.clear()
    judged.set(own, { judgement })
    return judgement
  }
}

/** Whether a name matches a pattern. Each name is tested once. */
export const nameTest = (pattern: RegExp): ((name: string) => boolean) => memoize((name) => pattern.test(name))
