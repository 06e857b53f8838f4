import { isJsonObject, parseJson } from '../../core/json.ts'

/** A value of the body with the fields that were read from it. */
type FieldsByValue = ReadonlyMap<string, readonly string[]>

interface BodyProps {
  readonly text: string
  /** Undefined if the text is not JSON. */
  readonly lines: readonly BodyLine[] | undefined
  readonly used: FieldsByValue
}

const maxLines = 300
const maxShownLength = 48

/** A stored body as text. In JSON, the values of fields are marked. */
export function MappedBody({ text, lines, used }: BodyProps) {
  if (lines === undefined) return <>{text}</>
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

function Leaf({ path, value, after, used }: LeafValue & Pick<BodyLine, 'after'> & Pick<BodyProps, 'used'>) {
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

export interface BodyLine {
  readonly before: string
  readonly leaf?: LeafValue
  readonly after: string
}

interface Member extends LeafValue {
  /** With its colon; empty in a list. */
  readonly key: string
}

/** The first lines of a JSON body, indented. Undefined for other bodies. */
export function toBodyLines(text: string): readonly BodyLine[] | undefined {
  const value = parseJson(text)
  if (value === undefined) return undefined
  const lines: BodyLine[] = []
  addLines(lines, { key: '', path: '', value }, { indent: '', comma: '' })
  return lines
}

/** Each level adds a line first, so the limit on lines also limits the depth. */
function addLines(
  lines: BodyLine[],
  { key, path, value }: Member,
  { indent, comma }: { readonly indent: string; readonly comma: string },
): void {
  if (lines.length === maxLines) return
  const entries = childrenOf(value, path)
  const before = indent + key
  if (entries === undefined) {
    lines.push({ before, leaf: { path, value }, after: comma })
    return
  }
  const [open, close] = isJsonObject(value) ? ['{', '}'] : ['[', ']']
  if (entries.length === 0) {
    lines.push({ before: before + open + close, after: comma })
    return
  }
  lines.push({ before: before + open, after: '' })
  for (const [index, entry] of entries.entries())
    addLines(lines, entry, { indent: `${indent}  `, comma: index < entries.length - 1 ? ',' : '' })
  if (lines.length < maxLines) lines.push({ before: indent + close, after: comma })
}

function childrenOf(value: unknown, path: string): Member[] | undefined {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ key: '', path: `${path}[${index}]`, value: item }))
  if (!isJsonObject(value)) return undefined
  return Object.entries(value).map(([name, item]) => ({
    key: `${JSON.stringify(name)}: `,
    path: path === '' ? identifier(name) : `${path}.${identifier(name)}`,
    value: item,
  }))
}

/** A key in JMESPath. */
const identifier = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const maxPaths = 100

/** The paths of the values, for completion. */
export const pathsOf = (lines: readonly BodyLine[] = []): readonly string[] =>
  lines.flatMap(({ leaf }) => leaf?.path ?? []).slice(0, maxPaths)
