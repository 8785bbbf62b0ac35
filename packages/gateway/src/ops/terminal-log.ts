import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [fact: string]: unknown;
}

/** A terminal that the log is shown on. */
export interface TerminalStream extends DestinationStream {
  /** Leaves out lines at `info`. */
  isQuiet: boolean;
}

type Style = Parameters<typeof styleText>[0];
const STYLES: Readonly<Record<string, Style>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  debug: 'dim',
  trace: 'dim',
};

const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Writes lines of the log for people: the time of day, what ended, and its facts. */
export function createTerminalStream(output: NodeJS.WritableStream): TerminalStream {
  const style = (format: Style, text: string): string => styleText(format, text, { stream: output });
  const stream: TerminalStream = {
    isQuiet: false,
    write(json) {
      const { level, time, msg, err, ...facts } = JSON.parse(json) as Line;
      if (level === 'info' && stream.isQuiet) return;
      const format = STYLES[level];
      const name = level === 'info' || level === 'debug' ? msg : `${level}: ${msg}`;
      const shown = Object.entries(facts).map(
        ([fact, value]) => `${style('dim', `${fact}=`)}${plain(value)}`,
      );
      const text = [style('dim', timeOfDay(time)), format ? style(format, name) : name, ...shown].join('  ');
      output.write(`${text}\n${err ? `${indented(err.stack ?? err.message ?? '')}\n` : ''}`);
    },
  };
  return stream;
}

/** In the time zone of the terminal. */
function timeOfDay(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

/** Ids may be chosen by strangers: what a terminal would obey is shown as JSON writes it. */
function plain(value: unknown): string {
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}

function escaped(text: string): string {
  return text.replaceAll(CONTROLS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${escaped(line)}`)
    .join('\n');
}
