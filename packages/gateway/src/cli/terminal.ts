/** Where a command speaks: results to standard output, progress to standard error, so that results can be piped. */
export interface Terminal {
  /** As JSON, one document per line, when asked for that; else as text. */
  show(result: object, text: () => string): void;
  /** A line of a result that is printed piece by piece; machines get the whole by `show`. */
  say(line: string): void;
  /** Progress; not said to machines. */
  note(line: string): void;
  /** Writes over itself where the terminal can do that, for pictures that change. */
  picture(text: string): void;
  readonly json: boolean;
  /** Results go to a screen. */
  readonly isWatched: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const UP_AND_CLEAR = (lines: number): string => `\x1b[${lines}F\x1b[0J`;

export function createTerminal(json: boolean): Terminal {
  // Only who looks at it takes care of Ctrl-C itself; all others end by it.
  let leaving: AbortSignal | undefined;
  let drawn = 0;
  const note = (line: string): void => {
    if (!json) process.stderr.write(`${line}\n`);
    drawn = 0;
  };
  return {
    json,
    isWatched: Boolean(process.stdout.isTTY),
    get signal() {
      leaving ??= abortedByCtrlC();
      return leaving;
    },
    say(line) {
      if (!json) process.stdout.write(`${line}\n`);
    },
    note,
    show(result, text) {
      process.stdout.write(`${json ? JSON.stringify(result) : text()}\n`);
      drawn = 0;
    },
    picture(text) {
      const over = drawn > 0 && process.stderr.isTTY ? UP_AND_CLEAR(drawn) : '';
      note(over + text);
      drawn = text.split('\n').length;
    },
  };
}

function abortedByCtrlC(): AbortSignal {
  const leaving = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leaving.abort());
  return leaving.signal;
}

/** Rows under their headings, columns as wide as they need to be. */
export function asTable(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return '(none)';
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => (cell === null || cell === undefined ? '' : String(cell))),
  );
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A thing and its fields, one per line. */
export function asFields(fields: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`).join('\n');
}

function shown(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
