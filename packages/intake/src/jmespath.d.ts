// The package ships no types, and those of DefinitelyTyped lack `compile`.
declare module 'jmespath' {
  export function compile(expression: string): unknown
  export function search(data: unknown, expression: string): unknown
}
