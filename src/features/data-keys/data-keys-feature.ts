/** Sealing anew, under the first data key, what is sealed under another. */
import { defineFeature } from '../../house/feature.ts';
import { dataKeysCommands } from './data-keys-commands.ts';

export const dataKeysFeature = defineFeature({
  name: 'data-keys',
  commands: dataKeysCommands,
  open: () => ({ offers: {} }),
});
