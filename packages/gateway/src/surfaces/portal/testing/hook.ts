import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Webhook receiver of the owner on this machine, which answers as the test sets. */
export interface Hook {
  readonly url: string;
  readonly bodies: readonly string[];
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startHook(): Promise<Hook> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    bodies.push(body);
    hook.answer(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const hook: Hook = {
    url: `http://127.0.0.1:${port}/hook`,
    bodies,
    answer: (response) => response.end(),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return hook;
}
