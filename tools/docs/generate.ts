import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { limitsPage } from './limits-page.ts';
import { withSettings } from './readme-settings.ts';

const ROOT = join(import.meta.dirname, '../..');

export function current(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** What is made from the contract and the tables of commands and settings, by file. `npm run docs` writes it. */
export function generate(): Record<string, string> {
  return {
    'docs/commands.md': commandsPage(),
    'docs/errors.md': errorsPage(),
    'docs/limits.md': limitsPage(),
    'README.md': withSettings(current('README.md')),
  };
}

if (import.meta.main)
  for (const [file, text] of Object.entries(generate())) writeFileSync(join(ROOT, file), text);
