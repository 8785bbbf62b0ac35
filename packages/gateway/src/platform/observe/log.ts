import { styleText } from 'node:util';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';
import pino from 'pino';
import { onFailure } from '#kernel';

export type Log = Logger;

/**
 * Structured logs, one JSON object per line, on standard output by default. No code logs content, keys or codes on purpose; the list
 * below catches an object that carries one by accident.
 */
export function createLog(level: LevelWithSilent, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    serializers: { err: (error: Error) => hideSecrets({ ...pino.stdSerializers.err(error) }, 1) },
  };
  return pino(options, destination ?? standardOutput());
}

/** Writes a log line of another thread of this process to this log. */
export function logAgain(log: Log, line: string): void {
  const { level, time: _, msg, ...details } = JSON.parse(line);
  const write = log[level as 'info'];
  write.call(log, details, msg);
}

/** Hides `info` lines on a terminal until the returned function is called: the start shows its banner there. */
export function startQuietly(log: Log): () => void {
  const stream: Partial<TerminalStream> = Reflect.get(log, pino.symbols.streamSym);
  if (stream.isQuiet === undefined) return () => {};
  stream.isQuiet = true;
  return () => {
    stream.isQuiet = false;
  };
}

/** Writes pending lines before the process ends. */
export function flushLog(log: Log): void {
  const stream: { flushSync?(): void } = Reflect.get(log, pino.symbols.streamSym);
  try {
    stream.flushSync?.();
  } catch (error) {
    // The disk is full, or the reader is gone: the process ends all the same.
    process.stderr.write(`parley: the last lines of the log are lost: ${String(error)}\n`);
  }
}

/** JSON, and readable lines on a terminal. A log file may be on a full disk: then a line is lost, and the process continues. */
function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return createTerminalStream(process.stdout);
  const output = pino.destination({ fd: process.stdout.fd });
  output.on('error', () => {});
  return output;
}

const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'password',
  'secret',
  'api_key',
  'apiKey',
  'token',
  'operatorToken',
  'masterKey',
  'masterKeys',
  'qr',
  'code',
  'text',
  'caption',
  'body',
  'creds',
]);
/** Secrets are looked for in objects down to this depth. */
const DEEPEST = 2;

/** Copies only objects that contain a secret. With pino's own redaction a line takes six times the processor time. */
function hideSecrets(details: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let shown = details;
  for (const [name, value] of Object.entries(details)) {
    const safe = isSecret(name, depth)
      ? '[hidden]'
      : depth < DEEPEST
        ? withoutSecrets(value, depth + 1)
        : value;
    if (safe === value) continue;
    if (shown === details) shown = { ...details };
    shown[name] = safe;
  }
  return shown;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return hideSecrets(value as Record<string, unknown>, depth);
}

/** A `code` outside of nested objects is an error code of ours. */
function isSecret(name: string, depth: number): boolean {
  return SECRET_FIELDS.has(name) && !(name === 'code' && depth < DEEPEST);
}

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [fact: string]: unknown;
}

/** A terminal that shows the log. */
interface TerminalStream extends DestinationStream {
  /** Hides lines at `info`. */
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

/** Renders log lines for people: time of day, message, and fields. */
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

/** Ids may come from outside: control characters are escaped as in JSON. */
function plain(value: unknown): string {
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}

function escaped(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${escaped(line)}`)
    .join('\n');
}

/** Writes failures from code without a log to this log. */
export function logFailureWarnings(log: Pick<Log, 'warn'>): { stop(): void } {
  return onFailure(({ complaint, error }) => log.warn({ err: error }, complaint));
}
