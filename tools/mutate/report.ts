import type { Verdict } from './judge.ts';

export interface Report {
  readonly room: string;
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly verdicts: readonly Verdict[];
  /** Chosen mutants that do not compile. */
  readonly uncompiled: number;
}

/** `N noticed of M (P %)`; reaching the time limit counts as noticed. */
export function resultLine({ verdicts }: Pick<Report, 'verdicts'>): string {
  const noticed = verdicts.filter(({ outcome }) => outcome !== 'survived').length;
  const percent = verdicts.length === 0 ? 100 : Math.round((noticed / verdicts.length) * 100);
  return `${noticed} noticed of ${verdicts.length} (${percent} %)`;
}

/** Row for the table of rooms, and a line per survivor and per mutant detected by the time limit only. */
export function markdown(report: Report): string {
  const { room, command, commit, date, verdicts, uncompiled } = report;
  const timedOut = verdicts.filter(({ outcome }) => outcome === 'timed out');
  const survivors = verdicts.filter(({ outcome }) => outcome === 'survived');
  return [
    row('Room', 'Noticed', 'By a time limit', 'Did not compile', 'Date', 'Commit', 'Command'),
    row(...Array<string>(7).fill('---')),
    row(room, resultLine(report), timedOut.length, uncompiled, date, code(commit), code(command)),
    ...listing('Survived', survivors),
    ...listing('Noticed by a time limit only', timedOut),
    '',
  ].join('\n');
}

export function describe({ mutant, outcome, by, asked }: Verdict): string {
  const { file, line, mutator, before, after } = mutant;
  const how = by === undefined ? numberOf(asked) : `by ${by}`;
  return `${outcome.padEnd(9)} ${file}:${line}  ${mutator}, ${how}\n          - ${before}\n          + ${after}`;
}

function numberOf(asked: number): string {
  return asked === 0 ? 'no test runs it' : `${asked} test files`;
}

function listing(title: string, verdicts: readonly Verdict[]): string[] {
  if (verdicts.length === 0) return [];
  const rows = verdicts.map(({ mutant: { file, line, before, after }, asked }) =>
    row(`${file}:${line}`, code(before), code(after), asked === 0 ? numberOf(asked) : ''),
  );
  return [
    '',
    `${title}:`,
    '',
    row('Where', 'Before', 'After', 'Why'),
    row('---', '---', '---', '---'),
    ...rows,
  ];
}

function row(...cells: (string | number)[]): string {
  return `| ${cells.map((cell) => `${cell}`.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const space = fence === '`' ? '' : ' ';
  return `${fence}${space}${text}${space}${fence}`;
}
