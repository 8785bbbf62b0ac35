/** The bytes on a WebSocket are one stream, whatever its messages: an intro, then frames of a 3-byte length and a payload. */

import type { Dictionary } from './codec.ts';

const LENGTH_BYTES = 3;
const PROTOCOL_HEADER = Buffer.from([0x57, 0x41, 0x06, 0x03]); // "WA", protocol 6, dictionary 3
const OLDER_HEADER = Buffer.from([0x57, 0x41, 0x06, 0x02]); // the same with dictionary 2
const ROUTING_MARK = Buffer.from([0x45, 0x44, 0x00, 0x01]); // "ED", version 1: routing info from an earlier connection

export class FrameError extends Error {
  override readonly name = 'FrameError';
}

export interface FrameReader {
  /** Returns the frames that `chunk` completes. Throws a FrameError on bytes that are not of this protocol. */
  push(chunk: Uint8Array): Buffer[];
  /** The first input to the hash of the Noise handshake: the intro of this client without routing info. */
  readonly header: Buffer;
  /** The client's dictionary. */
  readonly dictionary: Dictionary;
}

export function createFrameReader({ maxFrameBytes }: { maxFrameBytes: number }): FrameReader {
  let pending: Buffer = Buffer.alloc(0);
  let introduced = false;
  let header: Buffer = PROTOCOL_HEADER;

  return {
    get header() {
      return header;
    },
    get dictionary() {
      return header === OLDER_HEADER ? 2 : 3;
    },
    push(chunk) {
      pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
      if (!introduced) {
        const intro = readIntro(pending, maxFrameBytes);
        if (intro === undefined) return [];
        header = intro.header;
        pending = pending.subarray(intro.length);
        introduced = true;
      }
      const frames: Buffer[] = [];
      while (pending.length >= LENGTH_BYTES) {
        const size = pending.readUIntBE(0, LENGTH_BYTES);
        if (size > maxFrameBytes) throw new FrameError(`frame of ${size} bytes`);
        if (pending.length < LENGTH_BYTES + size) break;
        frames.push(pending.subarray(LENGTH_BYTES, LENGTH_BYTES + size));
        pending = pending.subarray(LENGTH_BYTES + size);
      }
      return frames;
    },
  };
}

export function encodeFrame(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + payload.length);
  frame.writeUIntBE(payload.length, 0, LENGTH_BYTES);
  frame.set(payload, LENGTH_BYTES);
  return frame;
}

/** The intro's header and its length in bytes, or undefined while more bytes are needed. */
function readIntro(bytes: Buffer, maxBytes: number): { header: Buffer; length: number } | undefined {
  const offset = startsLike(bytes, ROUTING_MARK) ? routingLength(bytes, maxBytes) : 0;
  if (offset === undefined) return undefined;
  const said = bytes.subarray(offset, offset + PROTOCOL_HEADER.length);
  const header = [PROTOCOL_HEADER, OLDER_HEADER].find((known) => startsLike(said, known));
  if (!header) throw new FrameError('unknown protocol header');
  return said.length === header.length ? { header, length: offset + header.length } : undefined;
}

function routingLength(bytes: Buffer, maxBytes: number): number | undefined {
  const start = ROUTING_MARK.length + LENGTH_BYTES;
  if (bytes.length < start) return undefined;
  const end = start + bytes.readUIntBE(ROUTING_MARK.length, LENGTH_BYTES);
  if (end > maxBytes) throw new FrameError('routing info too long');
  return bytes.length < end ? undefined : end;
}

/** Whether the bytes so far match `expected`. */
function startsLike(bytes: Buffer, expected: Buffer): boolean {
  const length = Math.min(bytes.length, expected.length);
  return bytes.subarray(0, length).equals(expected.subarray(0, length));
}
