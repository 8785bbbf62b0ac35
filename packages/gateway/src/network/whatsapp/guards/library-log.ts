import { muteLibsignal } from '@parley/signal';
import type { SocketConfig } from 'baileys';
import type { LineLog } from '#kernel';
import { property } from '../errors.ts';

type LibraryLogger = SocketConfig['logger'];

/** What the driver needs of the gateway's log. */
export type Log = LineLog<'debug' | 'warn'>;

/**
 * The library logs addresses, message content and credentials, so nothing of its own words is passed on: a problem comes out as its code
 * and nothing else. One object serves every session.
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

/** For as long as the process lives: libsignal prints private keys to the console. */
export function silenceLibsignal(): void {
  if (!isQuiet) muteLibsignal();
  isQuiet = true;
}
