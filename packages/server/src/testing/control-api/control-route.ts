import type { AnswerOf, CheckedBodyOf, ControlRoute, ParamsOf, QueryOf } from '@service/contract'
import type { TestServer } from '../test-server.ts'
import type { HandleRegistry } from './handle-registry.ts'

/** What came with a request, checked by the route's own schemas. */
export type ControlInput<R extends ControlRoute> = ParamsOf<R> & {
  readonly body: CheckedBodyOf<R>
  readonly query: QueryOf<R>
  readonly handles: HandleRegistry
}

/** What a control gives: the router puts it into `{data}`. Bytes and nothing go out as they are. */
type ResultOf<Answer> = Answer extends { readonly data: infer Data }
  ? Unchanged<Data>
  : Answer extends undefined
    ? unknown
    : Answer

type Unchanged<Value> = Value extends object ? { readonly [Key in keyof Value]: Unchanged<Value[Key]> } : Value

export type ControlHandler<R extends ControlRoute> = (
  server: TestServer,
  input: ControlInput<R>,
) => ResultOf<AnswerOf<R>> | Promise<ResultOf<AnswerOf<R>>>

/** One handler for each control of a list; a control without one does not compile. */
export type ControlHandlers<Routes extends readonly ControlRoute[]> = {
  readonly [R in Routes[number] as R['operation']]: ControlHandler<R>
}
