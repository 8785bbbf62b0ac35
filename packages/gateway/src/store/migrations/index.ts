import type { Migration } from '../types.ts';
import { initial } from './0001-initial.ts';

/** In order of their versions: add the next one at the end, and never change one that has been released. */
export const migrations: readonly Migration[] = [initial];
