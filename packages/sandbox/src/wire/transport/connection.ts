import { Curve, type proto } from 'baileys';
import type { WebSocket } from 'ws';
import { type Clock, errorName, type Log } from '../ports.ts';
import type { ServerIdentity } from './certificates.ts';
import { codecOf } from './codec.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import { type Node, node } from './nodes.ts';
import { createServerHandshake, type Finished, type ServerHandshake, type TransportCipher } from './noise.ts';

/** Far above what a client sends (812 pre-keys are 40 KB, a profile picture some hundred), far below a risk to memory. */
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** A client that does not read is disconnected before its unsent stanzas fill the memory. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** Applies until the handshake is done: afterwards a client may be silent, because the sandbox's clock can jump by hours. */
const HANDSHAKE_TIMEOUT_MS = 20_000;

const STREAM_END = node('xmlstreamend');

/** One connected client, after the handshake. */
export interface Connection {
  /** The client's Noise key. */
  readonly clientKey: Buffer;
  readonly open: boolean;
  /** Stanzas leave in the order of the calls; after the end they are dropped. */
  send(stanza: Node): void;
  /** Handles the client's earlier stanzas, sends `last`, if given, with the end of the stream, and closes the socket. */
  close(last?: Node): void;
}

/** Handles a client's stanzas after its login payload. */
export interface ConnectionHandler {
  /** Stanzas come one after the other: the next one waits until this resolves. */
  receive(stanza: Node): void | Promise<void>;
  ended(): void;
}

export type LoginHandler = (connection: Connection, payload: proto.ClientPayload) => ConnectionHandler;

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly identity: ServerIdentity;
  readonly certificates: () => Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly handleLogin: LoginHandler;
}

/** Serves a socket from its first byte to its end: handshake, then stanzas. Invalid input ends it. */
export function serveConnection({
  socket,
  identity,
  certificates,
  clock,
  log,
  handleLogin,
}: ConnectionOptions): void {
  const frames = createFrameReader({ maxFrameBytes: MAX_FRAME_BYTES });
  let handshake: ServerHandshake | undefined;
  let handler: ConnectionHandler | undefined;
  let cipher: TransportCipher | undefined;
  /** The end is decided; earlier stanzas are still handled and answered. */
  let closing = false;
  let ended = false;
  let work: Promise<void> = Promise.resolve();
  const patience = clock.after(HANDSHAKE_TIMEOUT_MS, () => hangUp('handshake took too long'));

  const hangUp = (why: string): void => {
    if (ended) return;
    log.debug({ why }, 'connection ended');
    socket.terminate();
    end();
  };

  const end = (): void => {
    if (ended) return;
    ended = true;
    patience.cancel();
    handler?.ended();
  };

  const establish = (finished: Finished): void => {
    const { encrypt } = finished.cipher;
    const { encode } = codecOf(frames.dictionary);
    const write = (stanza: Node): void => socket.send(encodeFrame(encrypt(encode(stanza))));
    const part = (last: Node | undefined): void => {
      if (ended) return;
      if (last) {
        write(last);
        write(STREAM_END);
      }
      socket.close();
      end();
    };
    const connection: Connection = {
      clientKey: finished.clientKey,
      get open() {
        return !closing && !ended;
      },
      send(stanza) {
        if (ended) return;
        if (socket.bufferedAmount > MAX_UNSENT_BYTES) return hangUp('client does not read');
        write(stanza);
      },
      close(last) {
        if (closing) return;
        closing = true;
        work = work.then(() => part(last));
      },
    };
    patience.cancel();
    cipher = finished.cipher;
    handler = handleLogin(connection, finished.payload);
  };

  const takeFrame = async (frame: Buffer): Promise<void> => {
    if (ended) return;
    if (!handshake) {
      handshake = createServerHandshake({
        prologue: frames.header,
        ephemeral: Curve.generateKeyPair(),
        staticKey: identity.staticKey,
        certificates: certificates(),
      });
      const { answer, finished } = handshake.hello(frame);
      socket.send(encodeFrame(answer));
      if (finished) establish(finished);
      return;
    }
    // gives the client a turn to finish what it just wrote: a real network's answer never comes that fast
    if (socket.readyState === socket.OPEN) await nextLoopTurn();
    if (ended) return;
    if (!cipher) return establish(handshake.finish(frame));
    await handler?.receive(await codecOf(frames.dictionary).decode(cipher.decrypt(frame)));
  };

  /** A connection that is being closed still gets its final stanza. */
  const failed = (error: unknown): void => {
    if (closing) log.debug({ why: errorName(error) }, 'not understood before the end');
    else hangUp(errorName(error));
  };

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (closing || ended) return;
    try {
      if (!isBinary) throw new Error('text message');
      for (const frame of frames.push(data)) work = work.then(() => takeFrame(frame)).catch(failed);
    } catch (error) {
      hangUp(errorName(error));
    }
  });
  socket.on('close', () => {
    // stanzas from before the hang-up still count
    work = work.then(end);
  });
  socket.on('error', () => hangUp('socket error'));
}

function nextLoopTurn(): Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: it waits for a turn of the event loop, not for time
  return new Promise((resolve) => setImmediate(resolve));
}
