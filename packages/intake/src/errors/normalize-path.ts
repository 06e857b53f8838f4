// The path of a file changes with each deploy: a release folder, a bundle hash, another machine.

const scheme = /^(?:[a-z][a-z0-9+.-]{1,30}:\/\/[^/]{0,255}|file:|webpack(?:-internal)?:|app:|rsc:|\/turbopack\/)/i
const maxPathLength = 4_096
const markers = /^(?:\[PROJECT_ROOT\]|\([\w-]{1,40}\)|\.{1,2}|~)\//
const releaseFolders = new Set(['releases', 'release', 'versions', 'deployments', 'deploys', 'builds', 'revisions'])
/** Generated names: a date or counter, a commit, a UUID, a version, Heroku's `build_…`. */
const generatedName =
  /^(?:\d{6,20}|[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|build[_-][0-9a-f]{6,64}|v?\d{1,9}(?:\.\d{1,9}){1,4}(?:[-+][\w.]{1,40})?)$/i
const versioned = /[-@]v?\d{1,9}(?:\.\d{1,9}){1,4}(?:[-+.][\w.]{1,40})?$/
const bundle = /\.(?:[cm]?jsx?|css|map|wasm|bundle)$/i

const normalizeFolder = (folder: string, parent: string | undefined): string => {
  if (generatedName.test(folder)) return '#'
  if (parent !== undefined && releaseFolders.has(parent) && /\d/.test(folder)) return '#'
  return folder.replace(versioned, '#')
}

const isPascalCase = /^(?:[A-Z][a-z]+)+$/

/** `main.3f2a9b1c.js`, `index-BX12ab9c.js`, `4821.chunk.js`: bundlers add parts with digits or mixed case. */
const isHash = (part: string): boolean => {
  if (/^[0-9a-f]{7,64}$/i.test(part) || /^\d{2,9}$/.test(part)) return true
  if (!/^[\w-]{8,64}$/.test(part)) return false
  const mixedCase = /[a-z]/.test(part) && /[A-Z]/.test(part.slice(1)) && !isPascalCase.test(part)
  return part.length <= 24 && /\d/.test(part) && /[A-Za-z]/.test(part) ? true : mixedCase && /^\w{8}$/.test(part)
}

const normalizeName = (name: string): string => {
  if (!bundle.test(name)) return name
  const dotted = name.split('.').map((part, index, all) => (index < all.length - 1 && isHash(part) ? '#' : part))
  return dotted
    .map((part) => part.replace(/(?<=.)-([\w-]{8})$/, (whole, tail: string) => (isHash(tail) ? '-#' : whole)))
    .join('.')
}

/** Removes what a deploy, a machine, or a browser adds to the path of a source file. */
export const normalizePath = (file: string): string => {
  const path = file
    .slice(0, maxPathLength)
    .replaceAll('\\', '/')
    .split(/[?#]/, 1)
    .join('')
    .replace(scheme, '/')
    .replace(/^[A-Za-z]:\//, '/')
  const bare = path.replace(/^\/+/, '').replace(markers, '').replace(/^\.\//, '')
  const folders = bare.split('/')
  const name = folders.pop() ?? ''
  return [...folders.map((folder, index) => normalizeFolder(folder, folders[index - 1])), normalizeName(name)].join('/')
}
