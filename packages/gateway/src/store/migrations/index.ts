import type { Migration } from '../types.ts';

/** In order of their versions: add the next one at the end, and never change one that has been released. */
export const migrations: readonly Migration[] = [];
