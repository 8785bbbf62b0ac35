import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { limitsPage } from './limits-page.ts';

export const FOLDER = join(import.meta.dirname, '../../docs');

/** The guides that are made from the contract and the table of commands, by file. `npm run docs` writes them. */
export function generate(): Record<string, string> {
  return { 'commands.md': commandsPage(), 'errors.md': errorsPage(), 'limits.md': limitsPage() };
}

if (import.meta.main)
  for (const [file, text] of Object.entries(generate())) writeFileSync(join(FOLDER, file), text);
