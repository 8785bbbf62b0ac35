import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type Setting } from '../../packages/gateway/src/settings.ts';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { limitsPage, table } from './limits-page.ts';
import { n8nTable } from './n8n-table.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECTION = /(?<=<!-- made by npm run docs -->\n\n).*?(?=\n\n<!-- until here -->)/s;
const ADDRESS = /\S*(?:<|:\/\/)[^\s,]*/g;

export function current(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** What is made from the contract and the tables of commands, settings and tests, by file. `npm run docs` writes it. */
export function generate(): Record<string, string> {
  return {
    'docs/commands.md': commandsPage(),
    'docs/errors.md': errorsPage(),
    'docs/limits.md': limitsPage(),
    'docs/migrating-from-evolution.md': current('docs/migrating-from-evolution.md').replace(
      SECTION,
      n8nTable,
    ),
    'README.md': withSettings(current('README.md')),
  };
}

/** The README with the settings as the gateway knows them. */
function withSettings(readme: string): string {
  const rows = Object.values<Setting>(SETTINGS).map(({ name, standard, unset, meaning, takes }) => [
    `\`${name}\``,
    unset ? standard : `\`${standard}\``,
    meaning,
    takes.replace(ADDRESS, '`$&`'),
  ]);
  return readme.replace(SECTION, () => table(['Variable', 'Default', 'Meaning', 'Takes'], rows));
}

if (import.meta.main)
  for (const [file, text] of Object.entries(generate())) writeFileSync(join(ROOT, file), text);
