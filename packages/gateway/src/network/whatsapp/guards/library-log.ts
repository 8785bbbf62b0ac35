import type { SocketConfig } from 'baileys';

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

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
