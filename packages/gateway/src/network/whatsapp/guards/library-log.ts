import { muteLibsignal } from '@parley/signal';
import type { SocketConfig } from 'baileys';
import type { LineLog } from '#kernel';
import { property } from '../errors.ts';

type LibraryLogger = SocketConfig['logger'];

/** Part of the gateway's log that the driver uses. */
export type Log = LineLog<'debug' | 'warn'>;

/** Longer texts are no sentences of the library's. */
const LONGEST_TEXT = 160;
const LONG_NUMBERS = /\d{5,}/g;

/**
 * The library logs addresses, message content and credentials among its details, of which only a code is passed on, beside its own
 * sentence. One object serves every session.
 */
export function createLibraryLog(log: Log): LibraryLogger {
  const problem = (details: unknown, text: unknown = details): void => {
    log.debug({ code: codeIn(details), cause: sentence(text) }, 'the network library reported a problem');
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

function sentence(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > LONGEST_TEXT) return undefined;
  return text.replace(LONG_NUMBERS, '…');
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
