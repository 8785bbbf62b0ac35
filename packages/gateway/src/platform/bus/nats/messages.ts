import { deserialize, serialize } from 'node:v8';
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';

/** Copies as the local bus does (`structuredClone`), into bytes: both buses carry the same values, bytes and `undefined` included. */
export function encode(value: unknown): Uint8Array {
  return serialize(value);
}

export function decode(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}

/** A payload, or as much of it as fits into one message of the server. */
interface Part {
  readonly index: number;
  readonly count: number;
  /** Id of its payload; empty for a payload in one message. */
  readonly payload: string;
  readonly bytes: Uint8Array;
}

/** Splits a payload that is too long for one message. */
function split(bytes: Uint8Array, most: number, payload: string): Part[] {
  const count = Math.max(1, Math.ceil(bytes.length / most));
  return Array.from({ length: count }, (_, index) => ({
    index,
    count,
    payload,
    bytes: bytes.subarray(index * most, (index + 1) * most),
  }));
}

/** Reassembles parts. They arrive in order, so a part that does not fit belongs to a payload whose beginning was lost. */
interface Assembly {
  /** The whole payload with its last part, undefined before. */
  add(part: Part): Uint8Array | undefined;
}

/** Unfinished payloads; beyond this the oldest is dropped. No sender has so many large ones in transit. */
const UNFINISHED_MAX = 64;

export function createAssembly(): Assembly {
  const unfinished = new Map<string, Uint8Array[]>();
  return {
    add({ index, count, payload, bytes }) {
      if (count === 1) return bytes;
      const parts = unfinished.get(payload) ?? [];
      if (index !== parts.length) {
        unfinished.delete(payload);
        return undefined;
      }
      parts.push(bytes);
      if (parts.length === count) {
        unfinished.delete(payload);
        return Buffer.concat(parts);
      }
      unfinished.set(payload, parts);
      const [oldest] = unfinished.keys();
      if (unfinished.size > UNFINISHED_MAX && oldest !== undefined) unfinished.delete(oldest);
      return undefined;
    },
  };
}

const PART_HEADER = 'Parley-Part';
/** Of the server's maximum message size; at most half of it. */
const ROOM_FOR_HEADERS = 4_096;
let payloads = 0;

/** Sends a payload as one message, or as several where it exceeds the server's maximum. */
export function send(
  connection: NatsConnection,
  {
    subject,
    reply,
    bytes,
    sender,
  }: {
    subject: string;
    reply?: string;
    bytes: Uint8Array /** No other process has this name. */;
    sender: string;
  },
): void {
  const allowed = connection.info?.max_payload ?? 2 * ROOM_FOR_HEADERS;
  const most = allowed - Math.min(ROOM_FOR_HEADERS, Math.ceil(allowed / 2));
  for (const part of split(bytes, most, `${sender}.${payloads++}`)) {
    connection.publish(subject, part.bytes, {
      ...(reply !== undefined && { reply }),
      ...(part.count > 1 && { headers: partHeaders(part) }),
    });
  }
}

function partHeaders({ index, count, payload }: Part) {
  const own = headers();
  own.set(PART_HEADER, `${index}/${count}/${payload}`);
  return own;
}

export function partOf({ headers: given, data: bytes }: Msg): Part {
  const [index, count, payload = ''] = (given?.get(PART_HEADER) || '0/1').split('/');
  return { index: Number(index), count: Number(count), payload, bytes };
}

const NO_RESPONDERS = 503;

/** The server itself has answered: the subject has no subscribers. */
export function hasNoResponders({ headers: given, data }: Msg): boolean {
  return data.length === 0 && given?.code === NO_RESPONDERS;
}
