import { createServer } from 'node:http';

/** A system of the owner that receives events. */
export interface Receiver {
  readonly url: string;
  /** Received events, oldest first. */
  readonly events: Record<string, unknown>[];
  /** The status of its next answer; undefined: it never answers. */
  answer: () => number | undefined;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    receiver.events.push(JSON.parse(body));
    const status = receiver.answer();
    if (status !== undefined) response.writeHead(status).end(status === 200 ? '' : `no: ${status}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A failed check leaves it open, which must not keep the run from ending.
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    events: [],
    answer: () => 200,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
