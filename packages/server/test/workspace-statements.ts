import { loadModule, type Node, parseSync, type SelectStmt } from 'libpg-query'
import { crossings } from '../src/store/workspace-keys.ts'
import type { SentStatement } from './sent-statements.ts'

// Finds statements on workspace rows that do not name the workspace as a constant or an array, from which a distributed
// database knows the shard. Every statement that a test server sends to either database is parsed with PostgreSQL's
// parser; SQLite's syntax is adapted first.

/** A list of keys on SQLite, where an array cannot be a parameter. */
const keyList = /\(([\w".]+), ([\w".]+)\) in \(select value ->> 0, value ->> 1 from json_each\((\$\d+)\)\)/g

/** A SQLite statement in a form that PostgreSQL's parser accepts. */
function asPostgres(text: string): string {
  let count = 0
  return (
    text
      .replace(/\+?\?\d*/g, () => `$${++count}`)
      .replace(/ match /g, ' = ')
      // On SQLite this is an FTS index, in which each term starts with the workspace.
      .replace(/\bticket_search\b/g, 'index_of_terms')
      .replace(/\bis (?=\$)/g, '= ')
      .replace(keyList, '$1 = any($3) and $2 = any($3)')
  )
}

type Names = ReadonlySet<string>

/** Throws if one of these statements does not name the workspace. */
export async function requireWorkspaceInStatements(
  sent: readonly SentStatement[],
  workspaceTables: Names,
): Promise<void> {
  await loadModule()
  const texts = new Set(sent.map(({ dialect, text }) => (dialect === 'sqlite' ? asPostgres(text) : text)))
  const faults = [...texts].flatMap((text) => faultsOf(text, workspaceTables).map((fault) => `${fault}:\n${text}`))
  if (faults.length > 0) throw new Error(faults.join('\n\n'))
}

/** The problems of a statement. Load the parser first. */
export function faultsOf(text: string, workspaceTables: Names): string[] {
  const reason = /\/\* across workspaces: ([^*]+) \*\//.exec(text)?.[1]
  if (reason !== undefined && !(reason in crossings)) return [`'${reason}' is not among the crossings`]
  const scopes = (parseSync(text).stmts ?? []).flatMap(({ stmt }) => scopesIn(stmt, workspaceTables))
  const unnamed = scopes.map(unnamedTables).filter((groups) => groups.length > 0)
  if (reason === undefined) return unnamed.map((groups) => `The workspace of ${groups.join(', ')} is not named`)
  if (unnamed.length === 0 && scopes.some(({ tables }) => tables.size > 0))
    return ['The statement names its workspace and needs no mark']
  return unnamed
    .filter((groups) => groups.length > 1)
    .map((groups) => `${groups.join(', ')} are not joined by workspace`)
}

/** A statement, or a subquery, with its tables and conditions. */
interface Scope {
  /** Workspace tables by their name in the statement. */
  readonly tables: ReadonlyMap<string, string>
  /** Names of other tables and lists. Their columns do not name a workspace. */
  readonly others: Names
  /** The conditions on every row, including joins. */
  readonly conditions: readonly Node[]
  /** The table of an insert without a workspace. */
  readonly isInsertWithout?: string | undefined
}

/** The tables whose workspace is not named, grouped by joins on the workspace. */
function unnamedTables({ tables, others, conditions, isInsertWithout }: Scope): string[] {
  const groups = new Map([...tables.keys()].map((name) => [name, new Set([name])]))
  const named = new Set<Set<string>>()
  for (const [one, other] of conditions.flatMap(equalities)) {
    const [left, right] = [groupOf(one), groupOf(other)]
    if (left === undefined && right === undefined) continue
    if (left !== undefined && right !== undefined) join(left, right)
    else if (isValue(left === undefined ? one : other)) named.add(left ?? right ?? new Set())
  }
  const isNamed = (group: Set<string>) => [...named].some((each) => [...each].some((name) => group.has(name)))
  const unnamed = [...new Set(groups.values())].filter((group) => !isNamed(group))
  const found = unnamed.map((group) => [...group].map((name) => tables.get(name)).join(' and '))
  return isInsertWithout === undefined ? found : [...found, isInsertWithout]

  function groupOf(node: Node): Set<string> | undefined {
    const { table, column } = columnOf(node) ?? {}
    if (column !== 'workspace_id') return undefined
    return table === undefined ? [...groups.values()][0] : groups.get(table)
  }

  function join(left: Set<string>, right: Set<string>): void {
    for (const name of right) groups.set(name, left.add(name))
  }

  /** A constant or a parameter, or the workspace of a table of an outer statement. */
  function isValue(node: Node): boolean {
    if ('TypeCast' in node) return node.TypeCast.arg !== undefined && isValue(node.TypeCast.arg)
    if ('ParamRef' in node || 'A_Const' in node || 'A_ArrayExpr' in node) return true
    const { table, column } = columnOf(node) ?? {}
    return column === 'workspace_id' && table !== undefined && !tables.has(table) && !others.has(table)
  }
}

const equalKinds: readonly (string | undefined)[] = ['AEXPR_OP', 'AEXPR_OP_ANY']

/** Pairs of expressions compared with `=` or `= any`. */
function equalities(condition: Node): [Node, Node][] {
  if (!('A_Expr' in condition)) return []
  const { kind, name, lexpr, rexpr } = condition.A_Expr
  const isEqual = equalKinds.includes(kind) && JSON.stringify(name).includes('"="')
  return isEqual && lexpr !== undefined && rexpr !== undefined ? [[lexpr, rexpr]] : []
}

function columnOf(node: Node): { table: string | undefined; column: string | undefined } | undefined {
  if (!('ColumnRef' in node)) return undefined
  const names = (node.ColumnRef.fields ?? []).map((field) => ('String' in field ? field.String.sval : undefined))
  return { table: names.length > 1 ? names.at(-2) : undefined, column: names.at(-1) }
}

/** All scopes in a part of a statement. */
function scopesIn(part: unknown, workspaceTables: Names): Scope[] {
  if (Array.isArray(part)) return part.flatMap((each) => scopesIn(each, workspaceTables))
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([kind, value]) =>
    kind in statements || ((kind === 'larg' || kind === 'rarg') && 'op' in value)
      ? scopesOf(statements[kind] ?? 'fromClause', value, workspaceTables)
      : scopesIn(value, workspaceTables),
  )
}

type List = 'fromClause' | 'usingClause' | 'selectStmt'

/** Statement kinds, and the clause that lists their other tables. */
const statements: Readonly<Record<string, List>> = {
  SelectStmt: 'fromClause',
  UpdateStmt: 'fromClause',
  DeleteStmt: 'usingClause',
  InsertStmt: 'selectStmt',
}

type Statement = Pick<SelectStmt, 'whereClause' | 'fromClause'> & {
  readonly relation?: unknown
  readonly usingClause?: Node[]
  readonly cols?: Node[]
}

function scopesOf(list: List, statement: Statement, workspaceTables: Names): Scope[] {
  return [scopeOf(list, statement, workspaceTables), ...scopesIn(statement, workspaceTables)]
}

function scopeOf(list: List, statement: Statement, workspaceTables: Names): Scope {
  const target = statement.relation === undefined ? [] : [{ RangeVar: statement.relation } as Node]
  if (list === 'selectStmt') {
    const [table] = tablesOf(target, workspaceTables).values()
    const isWith = (statement.cols ?? []).some((each) => JSON.stringify(each).includes('"workspace_id"'))
    return { tables: new Map(), others: new Set(), conditions: [], isInsertWithout: isWith ? undefined : table }
  }
  const from = [...target, ...(statement.fromClause ?? statement.usingClause ?? [])]
  const conditions = [...from.flatMap(joinConditions), statement.whereClause].flatMap(conjuncts)
  return { tables: tablesOf(from, workspaceTables), others: new Set(from.flatMap(otherNames)), conditions }
}

function tablesOf(from: readonly Node[], workspaceTables: Names): Map<string, string> {
  return new Map(
    from.flatMap((node): [string, string][] => {
      if ('JoinExpr' in node) return [...tablesOf(sidesOf(node.JoinExpr), workspaceTables)]
      if (!('RangeVar' in node)) return []
      const { relname = '', alias } = node.RangeVar
      return workspaceTables.has(relname) ? [[alias?.aliasname ?? relname, relname]] : []
    }),
  )
}

/** Names of instance tables, common table expressions, subqueries, and functions. */
function otherNames(node: Node): string[] {
  if ('JoinExpr' in node) return sidesOf(node.JoinExpr).flatMap(otherNames)
  if ('RangeVar' in node) return [node.RangeVar.alias?.aliasname ?? node.RangeVar.relname ?? '']
  if ('RangeFunction' in node) return [node.RangeFunction.alias?.aliasname ?? '']
  return 'RangeSubselect' in node ? [node.RangeSubselect.alias?.aliasname ?? ''] : []
}

const sidesOf = ({ larg, rarg }: { larg?: Node; rarg?: Node }) => [larg, rarg].flatMap((side) => side ?? [])

function joinConditions(node: Node): (Node | undefined)[] {
  return 'JoinExpr' in node ? [node.JoinExpr.quals, ...sidesOf(node.JoinExpr).flatMap(joinConditions)] : []
}

function conjuncts(condition: Node | undefined): Node[] {
  if (condition === undefined) return []
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'AND_EXPR') return [condition]
  return (condition.BoolExpr.args ?? []).flatMap(conjuncts)
}
