import { accessSync, constants, mkdirSync } from 'node:fs';
import { StoreError } from '../errors.ts';

/** Makes the data directory when it is missing, for its owner alone: it will hold credentials. */
export function makeUsableDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new StoreError(
      'data_dir_unusable',
      `The data directory ${directory} cannot be written to${reason}.`,
    );
  }
}
