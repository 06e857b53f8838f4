// The people and things that all examples name, so that a reader can follow one story through the reference.

export const ada = { id: 12, name: 'Ada Obi' }
export const mateo = { id: 15, name: 'Mateo Ruiz' }
export const relaunch = { id: 3, name: 'Website relaunch' }
export const frontDoor = {
  id: 4,
  source_type: 'zkteco',
  device_name: 'Front door',
  external_device_id: 'ZK-7F3A',
}

export const unmatchedPunch = {
  recorded: false as const, // the tag of the union
  reason: 'device_not_found',
  hint: 'Register the device, or send the device_id or external_device_id of a registered one. The punch is kept and can be replayed.',
  registered_devices: [frontDoor],
}

export const titleMissing = {
  'title-missing': { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
}
