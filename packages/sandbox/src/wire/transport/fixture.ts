import { encodeBinaryNode, initAuthCreds, makeNoiseHandler, NOISE_WA_HEADER, proto } from 'baileys';
import { WebSocket } from 'ws';
import type { Node } from './nodes.ts';

/** For tests only: a client that does the handshake and nothing else, and closes the connection only on request. */
export interface RawClient {
  /** Stanzas received so far. */
  readonly received: readonly Node[];
  /** Sends all of them in one message on the socket. */
  say(...stanzas: Node[]): void;
  /** The first matching stanza, received already or later. */
  receives(fits: (stanza: Node) => boolean): Promise<Node>;
  /** Resolves when the server has closed the connection. */
  readonly gone: Promise<void>;
  readonly isOpen: boolean;
  hangUp(): void;
}

const quiet = {
  level: 'silent',
  child: () => quiet,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
};

export interface RawClientOptions {
  readonly creds?: ReturnType<typeof initAuthCreds>;
  readonly payload?: proto.IClientPayload;
  /** The last byte of the intro. */
  readonly dictionary?: number;
  readonly routingInfo?: Buffer;
}

export function connectRaw(url: string, options: RawClientOptions = {}): RawClient {
  const { creds = initAuthCreds(), payload = {}, dictionary = 3, routingInfo } = options;
  const { pairingEphemeralKeyPair: keyPair, noiseKey } = creds;
  const noise = makeNoiseHandler({
    keyPair,
    NOISE_HEADER: Buffer.concat([NOISE_WA_HEADER.subarray(0, 3), Buffer.of(dictionary)]),
    logger: quiet,
    ...(routingInfo && { routingInfo }),
  });
  const socket = new WebSocket(url);
  const received: Node[] = [];
  const listeners = new Set<() => void>();
  const ready = Promise.withResolvers<void>();
  let introduced = false;

  const send = (bytes: Uint8Array): void => socket.send(noise.encodeFrame(bytes));

  const finish = async (frame: Uint8Array): Promise<void> => {
    introduced = true;
    const encryptedKey = noise.processHandshake(proto.HandshakeMessage.decode(frame), noiseKey);
    const encryptedPayload = noise.encrypt(proto.ClientPayload.encode(payload).finish());
    send(
      proto.HandshakeMessage.encode({
        clientFinish: { static: encryptedKey, payload: encryptedPayload },
      }).finish(),
    );
    await noise.finishInit();
    ready.resolve();
  };

  socket.on('open', () =>
    send(proto.HandshakeMessage.encode({ clientHello: { ephemeral: keyPair.public } }).finish()),
  );
  socket.on('message', (data: Buffer) => {
    void noise.decodeFrame(data, (frame) => {
      if (!introduced && frame instanceof Uint8Array) return void finish(frame);
      if (frame instanceof Uint8Array) return;
      received.push(frame);
      for (const look of listeners) look();
    });
  });

  return {
    received,
    say(...stanzas) {
      void ready.promise.then(() => {
        const frames = stanzas.map((stanza) => noise.encodeFrame(encodeBinaryNode(stanza)));
        socket.send(Buffer.concat(frames));
      });
    },
    receives: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find(fits);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    gone: new Promise((resolve) => socket.on('close', () => resolve())),
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    hangUp: () => socket.terminate(),
  };
}
