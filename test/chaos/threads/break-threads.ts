/**
 * Preloaded into a gateway: lets a test break its threads from outside, by the inspector, so that the gateway has no code for it.
 * `GET /` lists the threads by number; `POST /?thread=<name>` runs the body in that thread, or in `main`.
 */
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import { text } from 'node:stream/consumers';
import { isMainThread } from 'node:worker_threads';

interface Attached {
  readonly sessionId: string;
  readonly workerInfo: { readonly workerId: string; readonly title: string };
}

const { PARLEY_TEST_BREAK_PORT: port } = process.env;
if (isMainThread && port) listen(Number(port));

function listen(at: number): void {
  const threads = new Map<string, { readonly id: string; readonly name: string }>();
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params }: { params: Attached }) => {
    const [, id = '', name = ''] = /^\[worker (\d+)\] (.+)$/.exec(params.workerInfo.title) ?? [];
    threads.set(params.sessionId, { id, name });
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }: { params: { sessionId: string } }) => {
    threads.delete(params.sessionId);
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const wanted = new URL(request.url ?? '', 'http://here').searchParams.get('thread');
      const expression = await text(request);
      if (wanted === 'main') {
        session.post('Runtime.evaluate', { expression });
        return response.end();
      }
      const [sessionId] = [...threads].findLast(([, { name }]) => name === wanted) ?? [];
      if (sessionId === undefined) return response.writeHead(404).end();
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
    response.end(JSON.stringify([...threads.values()]));
  });
  server.listen(at, '127.0.0.1').unref();
}
