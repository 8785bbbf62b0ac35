import { Curve, type proto } from 'baileys';
import type { WebSocket } from 'ws';
import { type Clock, type Log, nameOf } from '../ports.ts';
import type { ServerIdentity } from './certificates.ts';
import { codecOf } from './codec.ts';
import { createFrameReader, encodeFrame } from './frames.ts';
import type { Node } from './nodes.ts';
import { createServerHandshake, type Finished, type ServerHandshake, type TransportCipher } from './noise.ts';

/** Far above what a client sends (812 pre-keys are 40 KB, a profile picture some hundred), far below what would hurt. */
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;
/** A client that does not read is let go before its unsent stanzas fill the memory. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** Only until the handshake is done: afterwards a client may be silent, because the sandbox's time can jump by hours. */
const HANDSHAKE_TIMEOUT_MS = 20_000;

/** A client that was told the last word hangs up by itself; one that does not is hung up on. */
const PARTING_MS = 5_000;

/** One client on the line, after the handshake. */
export interface Connection {
  /** The client's Noise key. */
  readonly clientKey: Buffer;
  readonly open: boolean;
  /** Stanzas leave in the order of the calls; after the end they go nowhere. */
  send(stanza: Node): void;
  /** Hears and answers what the client has said so far, says `last`, when given, leaves the client the time to read it, and hangs up. */
  close(last?: Node): void;
}

/** Who talks to the client once it has said what it wants. */
export interface Conversation {
  /** Stanzas come one after the other: the next one waits until this resolves. */
  receive(stanza: Node): void | Promise<void>;
  ended(): void;
}

export type Greeter = (connection: Connection, payload: proto.ClientPayload) => Conversation;

export interface ConnectionOptions {
  readonly socket: WebSocket;
  readonly identity: ServerIdentity;
  readonly certificates: () => Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
  readonly greet: Greeter;
}

/** Carries a socket from its first byte to its end: handshake, then stanzas. Whatever is not understood ends it. */
export function carryConnection({
  socket,
  identity,
  certificates,
  clock,
  log,
  greet,
}: ConnectionOptions): void {
  const frames = createFrameReader({ maxFrameBytes: MAX_FRAME_BYTES });
  let handshake: ServerHandshake | undefined;
  let conversation: Conversation | undefined;
  let cipher: TransportCipher | undefined;
  let parting: ReturnType<Clock['after']> | undefined;
  /** The end is decided; what came before it is still heard and answered. */
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
    conversation?.ended();
  };

  const establish = (finished: Finished): void => {
    const { encrypt } = finished.cipher;
    const { encode } = codecOf(frames.dictionary);
    const write = (stanza: Node): void => socket.send(encodeFrame(encrypt(encode(stanza))));
    const part = (last: Node | undefined): void => {
      if (ended) return;
      if (last) {
        write(last);
        parting = clock.after(PARTING_MS, () => socket.close());
      } else {
        socket.close();
      }
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
    conversation = greet(connection, finished.payload);
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
    // a real network is never so near that its answer comes before a client has done with what it just wrote
    if (socket.readyState === socket.OPEN) await aTurnOfTheLoop();
    if (ended) return;
    if (!cipher) return establish(handshake.finish(frame));
    await conversation?.receive(await codecOf(frames.dictionary).decode(cipher.decrypt(frame)));
  };

  /** One that is being let go still gets its last word. */
  const failed = (error: unknown): void => {
    if (closing) log.debug({ why: nameOf(error) }, 'not understood before the end');
    else hangUp(nameOf(error));
  };

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (closing || ended) return;
    try {
      if (!isBinary) throw new Error('text message');
      for (const frame of frames.push(data)) work = work.then(() => takeFrame(frame)).catch(failed);
    } catch (error) {
      hangUp(nameOf(error));
    }
  });
  socket.on('close', () => {
    parting?.cancel();
    // what the client said before it hung up was said
    work = work.then(end);
  });
  socket.on('error', () => hangUp('socket error'));
}

function aTurnOfTheLoop(): Promise<void> {
  // biome-ignore lint/style/noRestrictedGlobals: it waits for a turn of the event loop, not for time
  return new Promise((resolve) => setImmediate(resolve));
}
