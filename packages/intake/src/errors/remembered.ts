/** More than the names that one body may bring. */
const mostJudged = 5_000

/** From this length on V8 keeps a part of a text as a place in the whole, which then lives as long as its part. */
const shortestPart = 13

/** A text of its own: what is kept must not keep the body that it came from. */
const ownText = (text: string): string => (text.length < shortestPart ? text : JSON.parse(JSON.stringify(text)))

/** What is judged of a name, found out once: the same few names come in every report. */
export const remembered = <Judgement>(judge: (name: string) => Judgement, most = mostJudged): typeof judge => {
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

/** Whether a name fits a pattern, tried once a name. */
export const nameTest = (pattern: RegExp): ((name: string) => boolean) => remembered((name) => pattern.test(name))
