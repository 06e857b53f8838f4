/** Omits the dependencies of Scalar, because the server ships its standalone script, which contains them. */
const readPackage = (manifest) =>
  manifest.name === '@scalar/api-reference' ? { ...manifest, dependencies: {} } : manifest

module.exports = { hooks: { readPackage } }
