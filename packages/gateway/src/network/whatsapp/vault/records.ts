import { BufferJSON, proto } from 'baileys';
import type { SealedBox } from '#kernel';
import type { RecordName } from './write-commands.ts';

/** Seals rows of one link. The name of the row is authenticated with it: a box copied to another row or link does not open. */
export interface RecordSeal {
  seal(name: RecordName, text: string): Uint8Array;
  open(name: RecordName, sealed: Uint8Array): string;
}

export function createRecordSeal(sealedBox: SealedBox, linkId: string): RecordSeal {
  return {
    seal: (name, text) => sealedBox.seal(Buffer.from(text), contextOfRecord(linkId, name)),
    open: (name, sealed) => Buffer.from(sealedBox.open(sealed, contextOfRecord(linkId, name))).toString(),
  };
}

export function contextOfRecord(linkId: string, { kind, id }: RecordName): string {
  return `network/${linkId}/${kind}/${id}`;
}

/** The row of a link's credentials. */
export const CREDS: RecordName = { kind: 'creds', id: '' };

/** How bytes begin in the text of a record. */
const BUFFER_MARK = '{"type":"Buffer"';

export function encodeRecord(value: unknown): string {
  return JSON.stringify(value, BufferJSON.replacer);
}

export function decodeRecord(kind: string, text: string): unknown {
  // Ratchets, the largest and most read records, carry their keys as text: looking at each of their fields would be for nothing.
  const value: unknown = text.includes(BUFFER_MARK) ? JSON.parse(text, BufferJSON.reviver) : JSON.parse(text);
  // The library calls methods of this one kind, which plain JSON has lost.
  return kind === 'app-state-sync-key' && typeof value === 'object' && value !== null
    ? proto.Message.AppStateSyncKeyData.fromObject(value)
    : value;
}

const DAY_MS = 86_400_000;

/** Most records live as long as their link. A message is sent again on demand for a week, a poll may be voted in for half a year. */
const LIFE_MS: ReadonlyMap<string, number> = new Map([
  ['sent', 7 * DAY_MS],
  ['poll', 180 * DAY_MS],
]);

export function expiryOf(kind: string, now: number): number | null {
  const life = LIFE_MS.get(kind);
  return life === undefined ? null : now + life;
}
