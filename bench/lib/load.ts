import { connect } from 'node:net';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';

/** One burst of requests against a loopback address. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly accepted: number;
  readonly refused: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const clock = createSystemClock();

/**
 * Clients that send the next request as soon as the answer arrives. On plain sockets: a whole HTTP client would cost more than
 * the measured server, and both share the machine.
 */
export async function applyLoad(
  { url, connections, seconds }: Load,
  nextRequest: () => string,
): Promise<LoadResult> {
  const port = Number(new URL(url).port);
  const latencies: number[] = [];
  let accepted = 0;
  const started = clock.monotonic();
  const until = started + seconds * 1_000;

  /** Repeats requests on one connection until the time is over. */
  function drive(): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    return new Promise((resolve, reject) => {
      let asked = started;
      let answer = '';
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        answer += chunk;
        if (!isWhole(answer)) return;
        const answered = clock.monotonic();
        latencies.push(answered - asked);
        if (answer.startsWith('2', STATUS_AT)) accepted += 1;
        if (answered < until) ask(answered);
        else resolve(void socket.destroy());
      });
      function ask(now: number): void {
        asked = now;
        answer = '';
        socket.write(nextRequest(), 'latin1');
      }
      ask(clock.monotonic());
    });
  }

  await Promise.all(Array.from({ length: connections }, drive));
  const took = (clock.monotonic() - started) / 1_000;
  latencies.sort((a, b) => a - b);
  return {
    accepted,
    refused: latencies.length - accepted,
    perSecond: accepted / took,
    p50Ms: latencies[latencies.length >> 1] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
}

/** An HTTP/1.1 request as it goes over the wire. */
export function requestText({
  method,
  path,
  headers,
  body,
}: {
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines, '', body ?? ''].join('\r\n');
}

const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = 'content-length: ';

function isWhole(answer: string): boolean {
  const bodyAt = answer.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return false;
  const lengthAt = answer.indexOf(LENGTH) + LENGTH.length;
  return answer.length >= bodyAt + Number.parseInt(answer.slice(lengthAt, lengthAt + 8), 10);
}
