import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * For tests only: a relay between driver and network that can break the connection. It forwards sealed frames
 * without decoding them.
 */
export interface Relay {
  readonly url: string;
  /** Target of connections; set it before the first one. */
  target: string;
  /** Number of forwarded frames, in both directions. */
  readonly passed: number;
  /** Cuts every connection after this many frames; later connections work. */
  cutAfter(frames: number): void;
  /** Cancels `cutAfter`. */
  mend(): void;
  /** Forwards nothing in this direction until the next connection. */
  hold(direction: Direction): void;
  /** Sends bytes to the driver that the network did not send. */
  inject(bytes: Uint8Array): void;
  stop(): void;
}

type Direction = 'to_driver' | 'to_network';

export async function startRelay(): Promise<Relay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const held = new Set<Direction>();
  let target = '';
  let passed = 0;
  let left = Number.POSITIVE_INFINITY;

  const cut = (): void => {
    left = Number.POSITIVE_INFINITY;
    for (const client of server.clients) client.terminate();
  };

  server.on('connection', (driver) => {
    held.clear();
    const network = new WebSocket(target);
    const pass = (direction: Direction, to: WebSocket, bytes: Buffer): void => {
      if (left <= 0 || held.has(direction) || to.readyState !== WebSocket.OPEN) return;
      to.send(bytes);
      passed += 1;
      left -= 1;
      // Forwarded frames must still arrive.
      if (left === 0) setTimeout(cut, LAST_FRAME_MS);
    };
    const opening = once(network, 'open');
    driver.on('message', async (bytes: Buffer) => {
      await opening;
      pass('to_network', network, bytes);
    });
    network.on('message', (bytes: Buffer) => pass('to_driver', driver, bytes));
    for (const [one, other] of [
      [driver, network],
      [network, driver],
    ] as const) {
      one.on('close', () => other.terminate()).on('error', () => {});
    }
  });

  return {
    url: `ws://127.0.0.1:${port}/ws/chat`,
    get target() {
      return target;
    },
    set target(url) {
      target = url;
    },
    get passed() {
      return passed;
    },
    cutAfter(frames) {
      left = frames;
    },
    mend() {
      left = Number.POSITIVE_INFINITY;
    },
    hold: (direction) => void held.add(direction),
    inject(bytes) {
      for (const client of server.clients) client.send(bytes);
    },
    stop() {
      cut();
      server.close();
    },
  };
}

const LAST_FRAME_MS = 5;
