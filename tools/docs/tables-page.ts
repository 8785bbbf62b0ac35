import { globSync, readFileSync } from 'node:fs';
import { tableWriters } from '../lint/table-writers.ts';
import { table } from './limits-page.ts';

const SCHEMA = new URL('../../packages/gateway/src/platform/store/schema/', import.meta.url);
const HEAD = `# Tables

Every table of the database, the first sentence of its schema (\`packages/gateway/src/platform/store/schema\`), and the files that write it
(below \`packages/gateway/src\`). One room writes a table; \`tools/lint/table-owners.test.ts\` names the exceptions with their reason.
`;

export function tablesPage(): string {
  const writers = tableWriters();
  const rows = [...schemaTables()]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, holds]) => [
      `\`${name}\``,
      holds,
      [...(writers.get(name) ?? [])]
        .toSorted()
        .map((file) => `\`${file}\``)
        .join(', '),
    ]);
  return `${HEAD}\n${table(['Table', 'Holds', 'Written by'], rows)}\n`;
}

/** The first sentence of the comment of each table's row. */
function schemaTables(): Map<string, string> {
  const text = globSync('*.ts', { cwd: SCHEMA })
    .map((file) => readFileSync(new URL(file, SCHEMA), 'utf8'))
    .join('\n');
  const comments = new Map(
    [...text.matchAll(/\/\*\* ([^\n]*?) ?\*\/\n(?:export )?interface (\w+)/g)].map(
      ([, comment = '', name = '']) => [name, comment],
    ),
  );
  const blocks = [...text.matchAll(/interface \w*Tables\b[^{]*\{([^}]*)\}/g)].map(([, body = '']) => body);
  const named = blocks.flatMap((body) => [...body.matchAll(/^ {2}(\w+): (\w+);/gm)]);
  return new Map(
    named.map(([, name = '', row = '']) => [
      name,
      /^.*?[.;](?= |$)/.exec(comments.get(row) ?? '')?.[0] ?? comments.get(row) ?? '',
    ]),
  );
}
