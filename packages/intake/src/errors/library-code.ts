import { memoize } from './memoize.ts'

// Frames of the language, the framework, and installed packages are skipped if there are application frames. Most
// clients mark them; these rules are for those that do not.

const libraryFolders =
  /(?:^|[\\/])(?:node_modules|\.yarn|\.pnpm|bower_components|vendor|site-packages|dist-packages|gems|rubygems|\.rbenv|\.rvm|\.cargo|\.pub-cache|\.m2|\.gradle)[\\/]/i

const languageFolders =
  /(?:^|[\\/])(?:lib(?:64)?[\\/](?:python|ruby|pypy)|Python\d{1,4}[\\/]lib[\\/]|go[\\/](?:pkg[\\/]mod|src[\\/]runtime)[\\/]|(?:usr[\\/]local|usr[\\/]lib|opt)[\\/]go[\\/]|rustc[\\/]|deps[\\/]|webpack[\\/](?:bootstrap|runtime))/i

const virtualFiles =
  /^(?:\[GEM_ROOT\]|node:|internal[\\/]|bun:|deno:|ext:|native\b|\[native|<(?:frozen|internal|anonymous|unknown|string|builtin)|\[internal|\(?native|chrome-extension:|moz-extension:|safari-(?:web-)?extension:|dart:|package:flutter|artisan$)/i

/** Module names of old Node versions: `module.js`, `events.js`, and `timers.js` are the runtime's own files. */
const oldNodeFiles = /^(?:module|events|timers|net|_http_\w{1,20}|_stream_\w{1,20}|bootstrap_node)\.js$/

const libraryNamespaces =
  /^(?:at )?(?:java|javax|jdk|sun|com\.sun|jakarta|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|com\.android|org\.(?:springframework|apache|hibernate|eclipse|junit|jboss|codehaus|gradle)|io\.(?:netty|undertow|micrometer|micronaut|quarkus|reactivex)|reactor|com\.zaxxer|com\.fasterxml|System|Microsoft|MS|Mono|UnityEngine|Newtonsoft|Npgsql|Castle|Autofac|Illuminate|Symfony|Doctrine|runtime|net\/http|testing|reflect)[./:\\]/

const libraryPatterns = [libraryFolders, languageFolders, virtualFiles, oldNodeFiles]
const isLibraryFile = memoize((file) => libraryPatterns.some((pattern) => pattern.test(file)))

export const isLibraryCode = (file: string | null, name: string | null): boolean =>
  (file !== null && isLibraryFile(file)) || (name !== null && libraryNamespaces.test(name))
