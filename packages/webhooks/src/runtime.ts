// Sources and tests run on Node. The build points this import at `#runtime`, and package.json says which file that is in
// each runtime; `tsconfig.web.json` compiles against the other one.
export * from './runtime.node.ts'
