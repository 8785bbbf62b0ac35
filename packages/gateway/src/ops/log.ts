import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino';

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
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[hidden]' },
  };
  return pino(options, destination ?? standardOutput());
}

/** Writes what another thread of this process has logged, as if it had been said here. */
export function logAgain(log: Log, line: string): void {
  const { level, time: _, msg, ...details } = JSON.parse(line);
  const write = log[level as 'info'];
  write.call(log, details, msg);
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

/** Often a file on the very disk that is full: a line is lost then, the process is not. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: process.stdout.fd });
  output.on('error', () => {});
  return output;
}

const SECRET_FIELDS = [
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
];

const SECRET_PATHS = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]).filter(
  // `code` at the top is an error code of ours.
  (path) => path !== 'code' && path !== '*.code',
);
