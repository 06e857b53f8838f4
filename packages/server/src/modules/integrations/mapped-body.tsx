/** A value of the body with the fields that were read from it. */
type FieldsByValue = ReadonlyMap<string, readonly string[]>

interface BodyProps {
  readonly text: string
  readonly used: FieldsByValue
}

const maxLines = 300
const maxShownLength = 48

/** A stored body as text. In JSON, the values of fields are marked. */
export function MappedBody({ text, used }: BodyProps) {
  const value = parse(text)
  if (value === undefined) return <>{text}</>
  const lines = toLines({ key: '', path: '', value }).slice(0, maxLines)
  return (
    <>
      {lines.map(({ before, leaf, after }) => (
        <>
          {before}
          {leaf === undefined ? after : <Leaf {...leaf} after={after} used={used} />}
          {'\n'}
        </>
      ))}
      {lines.length === maxLines && '…'}
    </>
  )
}

interface LeafValue {
  readonly path: string
  readonly value: unknown
}

function Leaf({ path, value, after, used }: LeafValue & Pick<Line, 'after'> & Pick<BodyProps, 'used'>) {
  const text = JSON.stringify(value) ?? ''
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  const fields = used.get(String(value))
  if (fields === undefined)
    return (
      <>
        <span data-path={path}>{shown}</span>
        {after}
      </>
    )
  return (
    <>
      <mark data-path={path}>{shown}</mark>
      {after} <span class="used">→ {fields.join(', ')}</span>
    </>
  )
}

interface Line {
  readonly before: string
  readonly leaf?: LeafValue
  readonly after: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Member extends LeafValue {
  /** With its colon; empty in a list. */
  readonly key: string
}

/** The lines of indented JSON. */
function toLines({ key, path, value }: Member, depth = 0): Line[] {
  const indent = '  '.repeat(depth)
  const entries = childrenOf(value, path)
  if (entries === undefined) return [{ before: indent + key, leaf: { path, value }, after: '' }]
  const [open, close] = isRecord(value) ? ['{', '}'] : ['[', ']']
  if (entries.length === 0) return [{ before: `${indent}${key}${open}${close}`, after: '' }]
  const inner = entries.flatMap((entry, index) => {
    const lines = toLines(entry, depth + 1)
    const last = lines.at(-1)
    if (index < entries.length - 1 && last !== undefined) lines[lines.length - 1] = { ...last, after: `${last.after},` }
    return lines
  })
  return [{ before: indent + key + open, after: '' }, ...inner, { before: indent + close, after: '' }]
}

function childrenOf(value: unknown, path: string): Member[] | undefined {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ key: '', path: `${path}[${index}]`, value: item }))
  if (!isRecord(value)) return undefined
  return Object.entries(value).map(([name, item]) => ({
    key: `${JSON.stringify(name)}: `,
    path: path === '' ? identifier(name) : `${path}.${identifier(name)}`,
    value: item,
  }))
}

/** A key in JMESPath. */
const identifier = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const maxPaths = 100

/** The paths of all values of a JSON body, for completion. */
export function pathsOf(text: string): readonly string[] {
  const value = parse(text)
  if (value === undefined) return []
  return toLines({ key: '', path: '', value })
    .flatMap(({ leaf }) => leaf?.path ?? [])
    .slice(0, maxPaths)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
