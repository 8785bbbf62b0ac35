import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Asked, askedOf } from './recorded-request.ts';

/** A proxy between a program and the gateway that records the last request. */
export interface Observer {
  readonly url: string;
  /** The last request; undefined when there was none since the previous call. */
  take(): Asked | undefined;
  close(): Promise<void>;
}

export async function observe(serverUrl: string): Promise<Observer> {
  let last: Asked | undefined;
  const server = createServer(async (request, response) => {
    const { method = '', url = '/', headers } = request;
    const passed = new Headers();
    for (const name of ['apikey', 'content-type']) if (headers[name]) passed.set(name, String(headers[name]));
    const body = await text(request);
    const answer = await fetch(serverUrl + url, { method, headers: passed, ...(body && { body }) });
    const said = await answer.text();
    last = askedOf(method, url, answer, said);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(said);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = last;
      last = undefined;
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
