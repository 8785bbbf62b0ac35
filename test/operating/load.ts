import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkedNumber } from '../conformance/numbers.ts';
import type { TlsProxy } from '../services/proxies.ts';

export interface Load {
  /** Accepted sends. */
  readonly accepted: number;
  /** Answered requests of both kinds. */
  readonly answered: number;
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

const BETWEEN_REQUESTS_MS = 20;
const AT_ONCE = 4;

/** Within the burst of a number. */
const REQUESTS_PER_SEND = 40;

/**
 * Sends requests through the proxy, several at once, until it is stopped: a send now and then, else the number's state. Nothing
 * is retried.
 */
export function startLoad({ url, caPem: ca }: TlsProxy, from: LinkedNumber, to: string): Load {
  const agent = new Agent({ keepAlive: true, ca });
  const failures: string[] = [];
  let accepted = 0;
  let answered = 0;
  let isOn = true;

  const sendOne = (count: number) => {
    const body = JSON.stringify({ session_id: from.sessionId, to, text: `under load ${count}` });
    const headers = { 'content-type': 'application/json', 'idempotency-key': `load-${count}` };
    return askOne('POST', '/v1/messages', headers, body);
  };

  const askOne = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<string | undefined>((resolve) => {
      const authorization = `Bearer ${from.apiKey}`;
      const options = { method, agent, headers: { authorization, ...headers } };
      const asked = request(`${url}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve(
            (response.statusCode ?? 0) < 300
              ? undefined
              : `${method} ${response.statusCode} ${text.slice(0, 80)}`,
          ),
        );
      });
      asked.on('error', (error) => resolve(error.message));
      asked.end(body);
    });

  async function keepAsking(alsoSends: boolean): Promise<void> {
    const state = `/v1/sessions/${encodeURIComponent(from.sessionId)}`;
    for (let count = 0; isOn; count += 1) {
      const sends = alsoSends && count % REQUESTS_PER_SEND === 0;
      const failure = await (sends ? sendOne(accepted) : askOne('GET', state));
      if (failure !== undefined) failures.push(failure);
      else if (sends) accepted += 1;
      answered += 1;
      await sleep(BETWEEN_REQUESTS_MS);
    }
  }

  const running = Promise.all(Array.from({ length: AT_ONCE }, (_, place) => keepAsking(place === 0)));

  return {
    get accepted() {
      return accepted;
    },
    get answered() {
      return answered;
    },
    failures,
    async stop() {
      isOn = false;
      await running;
      agent.destroy();
    },
  };
}
