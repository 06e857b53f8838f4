/**
 * Which modules share a file, the first that fits. What a start needs would lie in some ninety files, and finding, reading
 * and linking those takes longer than running them. Above the two large chunks stands what other processes need of them:
 * the other commands, the threads, and a Node that is too old to run the rest. A chunk takes what its modules import
 * along; what is imported later stays a file of its own. What the test double needs of a start belongs to `platform`: with
 * `start` it would load the command line.
 */
const modules: Readonly<Record<string, RegExp>> = {
  'node-version': /\/server\/src\/core\/node-version\.ts$/,
  zod: /\/node_modules\/zod\/|\/contract\/src\/email-address\.ts$/,
  config: /\/server\/src\/core\/(?:config|version)\.ts$/,
  files: /\/server\/src\/(?:store\/directory-lock|encryption\/secret-file)\.ts$/,
  'command-line': /\/node_modules\/commander\/|\/server\/src\/cli\/(?:command|resources)\.ts$/,
  connection: /\/server\/src\/cli\/(?:connection|environment)\.ts$/,
  contract: /\/contract\/src\/(?:index|path-params|admin\/pages)\.ts$/,
  backup: /\/server\/src\/store\/backup\/sqlite-backup\.ts$/,
  sanitise: /\/intake\/src\/sanitise\/decode\.ts$/,
  git: /\/intake\/src\/git\/hosts\/index\.ts$/,
  'error-records': /\/intake\/src\/errors\/(?:level|severity|ticket-text|decoding\/decode-error)\.ts$/,
  platform: /\/server\/src\/(?:serve|http\/audit)\.ts$/,
  start: /\/server\/src\/cli\/start\.ts$/,
}

export const chunks = Object.entries(modules).map(([name, test], index, all) => ({
  name,
  test,
  priority: all.length - index,
}))
