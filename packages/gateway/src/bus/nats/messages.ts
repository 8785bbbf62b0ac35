import { deserialize, serialize } from 'node:v8';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';

/**
 * The same copy that the local bus makes of everything (`structuredClone`), as bytes: what one bus carries, the other does too,
 * bytes and `undefined` included.
 */
export function encode(value: unknown): Uint8Array {
  return serialize(value);
}

export function decode(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}

/** A payload, or what fits of it into one message of the server. */
interface Part {
  readonly index: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Cuts what is too long for one message. */
function split(bytes: Uint8Array, most: number): Part[] {
  const count = Math.max(1, Math.ceil(bytes.length / most));
  return Array.from({ length: count }, (_, index) => ({
    index,
    count,
    bytes: bytes.subarray(index * most, (index + 1) * most),
  }));
}

/** Puts parts together again. They come in order, so one that does not fit belongs to something whose beginning was lost. */
interface Assembly {
  /** The whole payload with its last part, undefined before. `key` tells payloads apart. */
  add(key: string, part: Part): Uint8Array | undefined;
  forget(key: string): void;
}

/** Unfinished payloads; the oldest is given up for one more. Nobody sends so many large ones at once. */
const UNFINISHED_MAX = 64;

export function createAssembly(): Assembly {
  const unfinished = new Map<string, Uint8Array[]>();
  return {
    add(key, { index, count, bytes }) {
      if (count === 1) return bytes;
      const parts = unfinished.get(key) ?? [];
      if (index !== parts.length) {
        unfinished.delete(key);
        return undefined;
      }
      parts.push(bytes);
      if (parts.length === count) {
        unfinished.delete(key);
        return Buffer.concat(parts);
      }
      unfinished.set(key, parts);
      const [oldest] = unfinished.keys();
      if (unfinished.size > UNFINISHED_MAX && oldest !== undefined) unfinished.delete(oldest);
      return undefined;
    },
    forget: (key) => void unfinished.delete(key),
  };
}

const PART_HEADER = 'Parley-Part';
/** Of the largest message that the server takes, for subjects and headers. */
const ROOM_FOR_HEADERS = 4_096;

/** Sends a payload as one message, or as several where it is larger than the server allows. */
export function send(
  connection: NatsConnection,
  { subject, reply, bytes }: { subject: string; reply?: string; bytes: Uint8Array },
): void {
  const most = (connection.info?.max_payload ?? 0) - ROOM_FOR_HEADERS;
  for (const part of split(bytes, Math.max(most, ROOM_FOR_HEADERS))) {
    connection.publish(subject, part.bytes, {
      ...(reply !== undefined && { reply }),
      ...(part.count > 1 && { headers: partHeaders(part) }),
    });
  }
}

function partHeaders({ index, count }: Part) {
  const own = headers();
  own.set(PART_HEADER, `${index}/${count}`);
  return own;
}

export function partOf({ headers: given, data: bytes }: Msg): Part {
  const [index, count] = (given?.get(PART_HEADER) || '0/1').split('/').map(Number);
  return { index: index ?? 0, count: count ?? 1, bytes };
}

const NO_RESPONDERS = 503;

/** The server itself has answered: nobody listens to that subject. */
export function saysNobodyServes({ headers: given, data }: Msg): boolean {
  return data.length === 0 && given?.code === NO_RESPONDERS;
}
