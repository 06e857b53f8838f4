// Sources and tests run on Node. The build points this import to `#runtime`, which package.json maps to a file for
// each runtime. `tsconfig.web.json` compiles against the web version.
export * from './runtime.node.ts'
