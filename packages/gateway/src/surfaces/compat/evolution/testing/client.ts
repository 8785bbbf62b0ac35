import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import {
  type DatabaseName,
  moveIn,
  OPERATOR_TOKEN,
  startGateway,
  type Tenant,
  type TestGateway,
} from '#testing';

/** A received webhook request. */
interface Hook {
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly body: { event: string; instance: string; data: Record<string, never>; [field: string]: unknown };
}

export const ADA = '15550002001';

/** Test client that uses this interface alone, with a phone of the sandbox, a second phone to write to, and a webhook. */
export interface Client {
  readonly gateway: TestGateway;
  readonly tenant: Tenant;
  readonly hookUrl: string;
  hooksOf(event: string): Hook[];
  // biome-ignore lint/suspicious/noExplicitAny: answers of this interface are untyped, tests check their content
  ask(method: Method, path: string, body?: object, key?: string): Promise<{ status: number; body: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: webhook bodies are untyped as well
  phones(method: 'GET' | 'POST', path: string, body?: object): Promise<any>;
  close(): Promise<void>;
}

type Method = 'GET' | 'POST' | 'DELETE';

export async function startClient(database: DatabaseName = 'SQLite'): Promise<Client> {
  const gateway = await startGateway({
    database,
    environment: { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN, PARLEY_COMPAT: 'evolution', PARLEY_DEMO: 'off' },
  });
  const tenant = await moveIn(gateway);
  const hooks: Hook[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      hooks.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

  const phones: Client['phones'] = async (method, path, body) => {
    const url = `/sandbox/v1/phones${path}`;
    const answer = await gateway.request({ method, url, key: OPERATOR_TOKEN, ...(body && { body }) });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.body === '' ? undefined : JSON.parse(answer.body);
  };
  await phones('POST', '', { phone: ADA, name: 'Ada', auto_read: true });
  await phones('POST', '', { phone: tenant.phone, name: 'Shop' });

  return {
    gateway,
    tenant,
    hookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    hooksOf: (event) => hooks.filter(({ body }) => body.event === event),
    async ask(method, path, body, key = tenant.apiKey) {
      const url = `/evolution${path}`;
      const answer = await gateway.request({ method, url, headers: { apikey: key }, ...(body && { body }) });
      return { status: answer.statusCode, body: JSON.parse(answer.body) };
    },
    phones,
    async close() {
      await gateway.close();
      receiver.close();
    },
  };
}
