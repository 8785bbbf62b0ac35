import { generatePages } from '../docs/generate.ts';
import { generateFences } from '../lint/fences.ts';
import { generateSdk } from '../sdk/generate.ts';
import { contractTables } from './contract-tables.ts';
import { noticeOf } from './notice.ts';

/** All generated files, by path from the root. */
export function generateAll(): Record<string, string> {
  return { ...contractTables(), ...generateFences(), ...generateSdk(), ...generatePages(), ...noticeOf() };
}
