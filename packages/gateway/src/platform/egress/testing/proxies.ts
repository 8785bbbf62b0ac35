import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

/** A proxy on loopback, for tests: it records the requested targets. */
export interface TestProxy {
  readonly url: string;
  /** `host:port`, as the client named them. */
  readonly targets: readonly string[];
  /** Bytes received through it from all other targets, also over earlier connections. */
  bytesFromOthersThan(target: string): number;
  stop(): void;
}

export interface TestProxyOptions {
  /** `user:password`; without it every client is accepted. */
  readonly credentials?: string;
  /** Resolves names of other machines to a port on loopback. */
  readonly names?: Readonly<Record<string, number>>;
  /** Accepts connections and never answers. */
  readonly silent?: boolean;
}

type Greet = (socket: Socket, open: (host: string, port: number) => Promise<Socket>) => Promise<void>;

/** SOCKS 5 (RFC 1928), with names and user names (RFC 1929). */
export function startSocksProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  return startProxy('socks5', options, async (socket, open) => {
    const read = reader(socket);
    const [, methods = 0] = await read(2);
    await read(methods);
    const method = options.credentials === undefined ? 0 : 2;
    socket.write(Buffer.from([5, method]));
    if (method === 2) {
      const [, nameLength = 0] = await read(2);
      const name = await read(nameLength);
      const [passwordLength = 0] = await read(1);
      const given = `${name}:${await read(passwordLength)}`;
      socket.write(Buffer.from([1, given === options.credentials ? 0 : 1]));
      if (given !== options.credentials) return void socket.end();
    }
    const [, , , kind] = await read(4);
    const host = kind === 3 ? String(await read((await read(1))[0] ?? 0)) : (await read(4)).join('.');
    const port = (await read(2)).readUInt16BE();
    const target = await open(host, port).catch(() => undefined);
    socket.write(Buffer.from([5, target ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (target) join(socket, target);
    else socket.end();
  });
}

/** HTTP with the method CONNECT. */
export function startHttpProxy(options: TestProxyOptions = {}): Promise<TestProxy> {
  return startProxy('http', options, async (socket, open) => {
    const read = reader(socket);
    let head = '';
    while (!head.endsWith('\r\n\r\n')) head += await read(1);
    const expected = Buffer.from(options.credentials ?? '').toString('base64');
    const authorised = options.credentials === undefined || head.includes(`Basic ${expected}\r\n`);
    if (!authorised) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const [, host = '', port] = /^CONNECT ([^ ]+):(\d+) /.exec(head) ?? [];
    const target = await open(host, Number(port)).catch(() => undefined);
    socket.write(`HTTP/1.1 ${target ? '200 OK' : '502 Bad Gateway'}\r\n\r\n`);
    if (target) join(socket, target);
    else socket.end();
  });
}

async function startProxy(
  protocol: string,
  { credentials, names = {}, silent }: TestProxyOptions,
  greet: Greet,
): Promise<TestProxy> {
  const targets: string[] = [];
  const opened: { readonly name: string; readonly target: Socket }[] = [];
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((socket) => {
    hold(socket);
    if (silent) return;
    greet(socket, async (host, port) => {
      targets.push(`${host}:${port}`);
      const known = names[host];
      const target = hold(known === undefined ? tcpConnect(port, host) : tcpConnect(known, '127.0.0.1'));
      opened.push({ name: `${host}:${port}`, target });
      await new Promise<void>((done, fail) => target.once('connect', done).once('error', fail));
      return target;
    }).catch(() => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `${protocol}://${credentials === undefined ? '' : `${credentials}@`}127.0.0.1:${port}`,
    targets,
    bytesFromOthersThan: (name) =>
      opened.reduce((sum, { name: each, target }) => (each === name ? sum : sum + target.bytesRead), 0),
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads exactly the given number of bytes and leaves the rest in the socket. */
function reader(socket: Socket): (length: number) => Promise<Buffer> {
  return async (length) => {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const chunk: Buffer | null = socket.read(length);
      if (chunk) return chunk;
      if (socket.destroyed || socket.readableEnded) throw new Error('the client is gone');
      await new Promise<void>((done) => {
        socket.once('readable', done).once('close', done);
      });
    }
  };
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
}
