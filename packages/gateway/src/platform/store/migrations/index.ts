import type { Migration } from '../types.ts';
import { initial } from './0001-initial.ts';

/** In version order: append the next one, and never change a released one. */
export const migrations: readonly Migration[] = [initial];
