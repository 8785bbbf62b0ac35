import { muteLibsignal } from '@parley/signal';
import type { SocketConfig } from 'baileys';
import type { LineLog } from '#kernel';
import { property } from '../errors.ts';

type LibraryLogger = SocketConfig['logger'];

/** Part of the gateway's log that the driver uses. */
export type Log = LineLog<'debug' | 'warn'>;

/**
 * The library logs addresses, message content and credentials, so none of its text is passed on: a problem is
 * logged by its code alone. One object serves every session.
 */
export function createLibraryLog(log: Log): LibraryLogger {
  const problem = (details: unknown): void => {
    log.debug({ code: codeIn(details) }, 'the network library reported a problem');
  };
  const logger: LibraryLogger = {
    level: 'silent',
    child: () => logger,
    trace: () => {},
    debug: () => {},
    info: () => {},
    warn: problem,
    error: problem,
  };
  return logger;
}

function codeIn(details: unknown): number | undefined {
  const error = property(details, 'err') ?? property(details, 'error') ?? details;
  const code = property(property(error, 'output'), 'statusCode');
  return typeof code === 'number' ? code : undefined;
}

let isQuiet = false;

/** For the whole life of the process: libsignal prints private keys to the console. */
export function silenceLibsignal(): void {
  if (!isQuiet) muteLibsignal();
  isQuiet = true;
}
