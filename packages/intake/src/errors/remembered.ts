/** More than the names that one body may bring. */
const mostJudged = 5_000

/** What is judged of a name, found out once: the same few names come in every report. */
export const remembered = <Judgement>(judge: (name: string) => Judgement, most = mostJudged): typeof judge => {
  const judged = new Map<string, { readonly judgement: Judgement }>()
  return (name) => {
    const known = judged.get(name)
    if (known !== undefined) return known.judgement
    const judgement = judge(name)
    if (judged.size >= most) judged.clear()
    judged.set(name, { judgement })
    return judgement
  }
}

/** Whether a name fits a pattern, tried once a name. */
export const nameTest = (pattern: RegExp): ((name: string) => boolean) => remembered((name) => pattern.test(name))
