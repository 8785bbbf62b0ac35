import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** For tests only: a relay between a process and its server that can be cut, or fall silent. */
export interface Relay {
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Stops forwarding without an error: data in transit waits. */
  silence(): void;
  mend(): void;
  stop(): void;
}

export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port, protocol } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => void other.write(chunk));
      if (isSilent) one.pause();
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut(): void {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  }

  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    mend() {
      isCut = false;
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    stop() {
      cut();
      server.close();
    },
  };
}
