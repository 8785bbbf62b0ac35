import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type Setting } from '../../packages/gateway/src/config/settings.ts';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsByExtension, eventsByUrl } from './event-tables.ts';
import { limitsPage, table } from './limits-page.ts';
import { messageSections } from './message-sections.ts';
import { n8nTable } from './n8n-table.ts';
import { tablesPage } from './tables-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECTION = /(?<=<!-- made by npm run gen -->\n\n).*?(?=\n\n<!-- until here -->)/gs;
const ADDRESS = /\S*(?:<|:\/\/)[^\s,]*/g;

export function current(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Pages generated from the contract and the tables of commands, settings and tests, by path from the root. */
export function generatePages(): Record<string, string> {
  return {
    'docs/commands.md': commandsPage(),
    'docs/errors.md': errorsPage(),
    'docs/limits.md': limitsPage(),
    'docs/settings.md': settingsPage(),
    'docs/tables.md': tablesPage(),
    ...withSections('docs/messages.md', messageSections()),
    ...withSections('docs/migrating-from-evolution.md', n8nTable()),
    ...withSections('docs/webhooks.md', eventsByUrl(), eventsByExtension()),
  };
}

/** Replaces the marked sections of a handwritten page. */
function withSections(file: string, ...sections: readonly string[]): Record<string, string> {
  const made = sections.values();
  return { [file]: current(file).replace(SECTION, (section) => made.next().value ?? section) };
}

const SETTINGS_HEAD = `# Settings

All settings are environment variables, and all are optional. A wrong value stops the start with one line that says what the variable takes.
\`npm run parley -- doctor\` shows the values in effect, secrets masked.
`;

function settingsPage(): string {
  const rows = Object.values<Setting>(SETTINGS).map(({ name, standard, unset, meaning, takes }) => [
    `\`${name}\``,
    unset ? standard : `\`${standard}\``,
    meaning,
    takes.replace(ADDRESS, '`$&`'),
  ]);
  return `${SETTINGS_HEAD}\n${table(['Variable', 'Default', 'Meaning', 'Takes'], rows)}\n`;
}
