import { createServer, type RequestListener } from 'node:http';
import { WebSocketServer } from 'ws';
import type { Clock, Log } from '../ports.ts';
import type { Reach } from '../reach.ts';
import { createCertificateIssuer, type ServerIdentity } from './certificates.ts';
import { type LoginHandler, MAX_FRAME_BYTES, serveConnection } from './connection.ts';
import { listen } from './listen.ts';

const PATH = '/ws/chat';
/** A frame may be spread over messages, but none needs more than a whole frame, its length and the intro. */
const MAX_MESSAGE_BYTES = MAX_FRAME_BYTES + 1024;

export interface ChatServer {
  readonly url: string;
  /** The address for plain HTTP requests. */
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startChatServer(options: {
  host: string;
  port: number;
  /** Stands in the addresses of the server; where it listens, unless given. */
  reach?: Pick<Reach, 'host'>;
  identity: ServerIdentity;
  clock: Clock;
  log: Log;
  handleLogin: LoginHandler;
  /** Serves plain HTTP requests. */
  serve: RequestListener;
}): Promise<ChatServer> {
  const { host, identity, clock, log, handleLogin, reach = { host } } = options;
  const certificates = createCertificateIssuer({ identity, clock });
  const http = createServer(options.serve);
  const port = await listen(http, host, options.port);
  const sockets = new WebSocketServer({ server: http, path: PATH, maxPayload: MAX_MESSAGE_BYTES });
  sockets.on('connection', (socket) =>
    serveConnection({ socket, identity, certificates, clock, log, handleLogin }),
  );

  return {
    get url() {
      return `ws://${reach.host}:${port}${PATH}`;
    },
    get origin() {
      return `http://${reach.host}:${port}`;
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
