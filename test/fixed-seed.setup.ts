import fc from 'fast-check'

// The same cases in every run, so that a run fails for its change alone. `PROPERTY_SEED=random` tries new ones, as the nightly run does.
if (process.env['PROPERTY_SEED'] !== 'random')
  fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_128) })
