import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsPage } from './errors-page.ts';
import { limitsPage } from './limits-page.ts';

export const FOLDER = join(import.meta.dirname, '../../docs');

/** The guides that are made from the contract, by file. `npm run docs` writes them. */
export function generate(): Record<string, string> {
  return { 'errors.md': errorsPage(), 'limits.md': limitsPage() };
}

if (import.meta.main)
  for (const [file, text] of Object.entries(generate())) writeFileSync(join(FOLDER, file), text);
