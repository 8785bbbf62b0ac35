import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type MailServer,
  startMailServer,
} from '../../../packages/gateway/src/platform/mail/testing/mail-server.ts';
import { launch } from '../../conformance/launch.ts';
import { runToEnd, stopProcess } from '../../services/processes.ts';

const CHEAP_SCRYPT = fileURLToPath(new URL('../../services/cheap-scrypt.cjs', import.meta.url));

export const OPERATOR_TOKEN = 'operator-of-the-browser-tests';

/** A gateway with its sandbox and its own data, which serves the pages built from these sources. */
export interface PortalGateway {
  readonly url: string;
  /** Receives the mails of this gateway. */
  readonly mail: MailServer;
  /** These fail unless the answer is a success. */
  operator<T>(method: string, path: string, body?: object): Promise<T>;
  sandbox<T>(method: string, path: string, body?: object): Promise<T>;
  stop(): Promise<void>;
}

export async function startGateway(): Promise<PortalGateway> {
  await runToEnd(process.execPath, ['tools/build/run.ts']);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-portal-'));
  const mail = await startMailServer();
  const { child, url } = await launch('start', {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_MAIL_URL: mail.url,
    PARLEY_MAIL_FROM: 'Parley <parley@example.com>',
    PARLEY_LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--require=${CHEAP_SCRYPT}`,
  });

  async function must<T>(method: string, address: string, body?: object): Promise<T> {
    const response = await fetch(url + address, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
    return JSON.parse(text || 'null');
  }

  return {
    url,
    mail,
    operator: (method, address, body) => must(method, `/operator/v1${address}`, body),
    sandbox: (method, address, body) => must(method, `/sandbox/v1${address}`, body),
    async stop() {
      await stopProcess(child, 'SIGTERM');
      await mail.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
