import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError, SETTINGS } from '../config/config.ts';

/** Listens as configured, or says in one line why that does not work. */
export async function listen(http: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await http.listen({ host, port });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const advice = LISTEN_ADVICE[code];
    throw advice ? new ConfigError(`cannot listen on ${host}:${port}: ${advice} (${code})`) : error;
  }
}

const LISTEN_ADVICE: Record<string, string> = {
  EADDRINUSE: `something else does; stop it or set ${SETTINGS.port.name}`,
  EACCES: `this user may not; set ${SETTINGS.port.name} to 1024 or more`,
  EADDRNOTAVAIL: `this machine does not have that address; set ${SETTINGS.host.name}`,
  ENOTFOUND: `that name has no address; set ${SETTINGS.host.name}`,
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl-C may arrive several times: from the terminal, from npm, from the launcher. */
const ECHO_MS = 1_000;

export function signalToStop(): Promise<void> {
  return new Promise((resolve) => {
    let signalledAt: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const now = process.uptime() * 1_000;
        signalledAt ??= now;
        // A second signal forces the exit.
        if (now - signalledAt > ECHO_MS) process.exit(1);
        resolve();
      });
    }
  });
}
