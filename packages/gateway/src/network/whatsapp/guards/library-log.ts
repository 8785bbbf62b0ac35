import type { SocketConfig } from 'baileys';
import { property } from '../errors.ts';

type LibraryLogger = SocketConfig['logger'];

/** What the driver needs of the gateway's log. */
export interface Log {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

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

/**
 * libsignal prints whole sessions, private keys included, to the console. Its calls are dropped by their place in the stack, so that
 * everything that anybody else prints still comes out.
 */
export function silenceLibsignal(): void {
  if (silenced) return;
  silenced = true;
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    // biome-ignore lint/suspicious/noConsole: this is the guard of the console itself.
    const print = console[method].bind(console);
    console[method] = (...values: unknown[]) => {
      if (!calledByLibsignal()) print(...values);
    };
  }
}

let silenced = false;

/** Frames above the caller of the console: this function and the guard itself. */
const OWN_FRAMES = 2;

function calledByLibsignal(): boolean {
  const caller = new Error().stack?.split('\n')[1 + OWN_FRAMES];
  return caller !== undefined && /[\\/]node_modules[\\/]libsignal[\\/]/.test(caller);
}
