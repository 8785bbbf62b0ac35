import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { createTerminalStream, type TerminalStream } from './terminal-log.ts';

export type Log = Logger;

/**
 * Structured logs, one JSON object per line, on standard output unless told otherwise. Nothing in the gateway logs content, keys or
 * codes on purpose; the list below is the net underneath, for an object that carries one by accident.
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

/** Writes what another thread of this process has logged, as if it had been said here. */
export function logAgain(log: Log, line: string): void {
  const { level, time: _, msg, ...details } = JSON.parse(line);
  const write = log[level as 'info'];
  write.call(log, details, msg);
}

/** Leaves lines at `info` out of a terminal until the function that it answers with is called: a start has its banner there. */
export function startQuietly(log: Log): () => void {
  const stream: Partial<TerminalStream> = Reflect.get(log, pino.symbols.streamSym);
  if (stream.isQuiet === undefined) return () => {};
  stream.isQuiet = true;
  return () => {
    stream.isQuiet = false;
  };
}

/** Writes what is not written yet, before the end of the process. */
export function flushLog(log: Log): void {
  const stream: { flushSync?(): void } = Reflect.get(log, pino.symbols.streamSym);
  try {
    stream.flushSync?.();
  } catch (error) {
    // The disk is full, or nobody reads any more: the process ends all the same.
    process.stderr.write(`parley: the last lines of the log are lost: ${String(error)}\n`);
  }
}

/** JSON, and on a terminal lines for people. A file may lie on the disk that is full: a line is lost then, the process is not. */
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
/** Objects within objects within the details of a line are looked at, and no deeper. */
const DEEPEST = 2;

/** Copies only what holds a secret. With pino's own redaction a line costs six times as much of the processor. */
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
