import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { type Part, split } from './parts.ts';

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
