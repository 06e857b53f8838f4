// The largest bodies of error reports that are taken: a thousand reports, 60,000 values, a megabyte sent and four of them
// unpacked (docs/error-formats.md). Each shape asks most of another part of the reader.

const reports = 1_000
const keys = 55

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Names and sentences that are the same in every run: the generator of Numerical Recipes, begun at a fixed number. */
function wordMaker() {
  let state = 7
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
  return {
    letters: (length: number) => times(length, () => String.fromCharCode(97 + (next() % 26))).join(''),
    sentence(length: number) {
      const words: string[] = []
      for (let left = length; left > 0; left -= 10) words.push(`${telling[next() % telling.length]} ${next() % 1000}`)
      return words.join(' ').slice(0, length)
    },
  }
}

const telling = [
  ...['order', 'customer', 'region', 'batch', 'status', 'state', 'error', 'message', 'level', 'name', 'title'],
  ...['stack', 'line', 'file', 'url', 'event', 'type', 'result', 'output'],
]

const record = (nameOf: (index: number) => string, fieldOf: (index: number) => unknown) =>
  Object.fromEntries(times(keys, (index) => [nameOf(index), fieldOf(index)]))

const stack = (report: number, frames: number) =>
  [
    `Error: order ${report} is lost`,
    ...times(frames, (line) => `    at fn${line} (/srv/app/src/file${report % 50}.js:${line + 1}:7)`),
  ].join('\n')

const words = wordMaker()

export const largeBodies: Readonly<Record<string, () => unknown>> = {
  'a message and a stack each': () => times(reports, (index) => ({ message: 'lost', stack: stack(index, 14) })),
  'messages of 1,000 characters': () => times(reports, () => ({ message: words.sentence(1_000) })),
  'printed lines of 900 characters': () =>
    times(reports, () => ({ z: 'w', msg: `2026-11-23 08:00:00 ERROR [main] shop.Cart - ${words.sentence(850)}` })),
  '55 fields of the same names': () =>
    times(reports, (report) =>
      record(
        (index) => `attr_${index}`,
        (index) => report * index,
      ),
    ),
  '55 fields of different names': () =>
    times(reports, () =>
      record(
        () => words.letters(8),
        () => 1,
      ),
    ),
  '55 different names that end in telling words': () =>
    times(reports, () =>
      record(
        (index) => words.letters(3) + telling[index % telling.length],
        () => 'a b',
      ),
    ),
  '55 states': () =>
    times(reports, () =>
      record(
        (index) => `s${index}status`,
        () => 'is busy',
      ),
    ),
  'JSON in text': () =>
    times(reports, (report) => ({
      log: JSON.stringify(
        record(
          (index) => `k${index}`,
          () => report,
        ),
      ),
    })),
  'alerts of 40 labels': () => ({
    version: '4',
    status: 'firing',
    alerts: times(reports, (alert) => ({
      status: 'firing',
      labels: Object.fromEntries(times(20, (index) => [`label${index}`, `v${alert}`])),
      annotations: Object.fromEntries(times(20, (index) => [`note${index}`, 'x y'])),
    })),
  }),
  'unpacked to 4 MB: stacks of 60 frames': () =>
    times(reports, (index) => ({ message: 'lost', stack: stack(index, 70) })),
  'unpacked to 4 MB: messages of 4,000 characters': () => times(reports, () => ({ message: words.sentence(4_000) })),
}
