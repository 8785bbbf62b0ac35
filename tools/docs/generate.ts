import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKLIST } from '../../packages/gateway/src/cli/verify/checklist.ts';
import { SETTINGS } from '../../packages/gateway/src/config/settings.ts';
import type { Setting } from '../../packages/gateway/src/config/values.ts';
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
    'docs/real-number-checklist.md': checklistPage(),
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

const CHECKLIST_HEAD = `# Checking a release on a real number

The tests drive the WhatsApp driver against the sandbox, over the same wire protocol. What they cannot show is how the real network and
real phones take it. Before a release, go through this list with a spare number: never with one that matters, for the network
may restrict numbers that behave like machines.

It takes half an hour with two phones: **A**, whose number is linked and which has many contacts, groups and some years of chats; and **B**, a friend who has A in the address
book and has written to A before. A third number, **C**, that never had anything to do with A is good to have. Write down the release, the date and anything odd.

\`parley verify --a <number> --b <number>\` goes through this page with two linked numbers: it does the lines of chapter 0a alone, shows every other and asks how it went (yes, no, skip; \`--yes\` skips
them), takes an hour at most and goes on where it was interrupted. The report names lines, times, codes and versions, and no number, name or text: send it to the maintainers as it is.`;

function checklistPage(): string {
  const chapters = CHECKLIST.map(({ title, lead, lines }) =>
    [title, lead, lines.map(({ text }) => `- [ ] ${text}`).join('\n')].filter(Boolean).join('\n\n'),
  );
  return `${[CHECKLIST_HEAD, ...chapters].join('\n\n')}\n`;
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
