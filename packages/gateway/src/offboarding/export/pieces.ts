import { crc32 } from 'node:zlib';
import { type Clock, DAY_MS } from '#kernel';
import type { MediaLibrary } from '#media';
import type { Reader } from '#platform/store';
import { exportsOf } from '../offboarding-queries.ts';
import { EXPORTED, type Exported, type Keys, linesOf, type RowPlace } from './rows.ts';
import { deflated, type ZipEntry } from './zip.ts';

/**
 * The tables of an archive are packed in pieces, each stored as a file when it is complete. A process that resumes an
 * archive continues after the last piece; the complete set is joined without packing again.
 */
export interface Progress {
  readonly pieces: readonly Piece[];
  /** Where the table of the last piece continues; null when it is complete. */
  readonly next: Next | null;
}

interface Piece {
  readonly mediaId: string;
  readonly segments: readonly Segment[];
}

/** The part of one table in a piece. */
interface Segment {
  readonly table: string;
  readonly rows: number;
  readonly size: number;
  readonly packed: number;
  /** Of the table so far. */
  readonly crc: number;
}

interface Next extends RowPlace {
  readonly table: string;
  readonly crc: number;
}

interface PieceParts {
  readonly read: Reader;
  readonly library: Pick<MediaLibrary, 'keep' | 'find' | 'read'>;
  readonly machineClock: Pick<Clock, 'now'>;
  readonly keys: Keys;
  readonly exportId: string;
}

const NOTHING_MADE: Progress = { pieces: [], next: null };
/** A piece ends at this many bytes of lines, or after this time: the most that a kill can cost. */
const PIECE_BYTES = 32 * 1024 * 1024;
const PIECE_MS = 5_000;
/** Until their archive is complete; limits how long repeated kills can go on. */
const PIECE_KEPT_MS = 2 * DAY_MS;
const LARGEST_PIECE_BYTES = 4 * PIECE_BYTES;

const bytesAsText = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'type' in value && value.type === 'Buffer' && 'data' in value
    ? Buffer.from(value.data as number[])
    : value;

export function writeProgress(progress: Progress): string {
  return JSON.stringify(progress, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toJSON() : value,
  );
}

export function readProgress(text: string | null): Progress {
  return text === null ? NOTHING_MADE : JSON.parse(text, bytesAsText);
}

export function filesOf({ pieces }: Progress): ReadonlySet<string> {
  return new Set(pieces.map(({ mediaId }) => mediaId));
}

/** Files of all pieces of an account: no user has uploaded them. They are listed until they are long gone. */
export async function pieceFiles(read: Reader, accountId: string): Promise<ReadonlySet<string>> {
  const rows = await exportsOf(read, accountId);
  return new Set(rows.flatMap(({ pieces }) => [...filesOf(readProgress(pieces))]));
}

export function rowsOf({ pieces }: Progress): number {
  return pieces.flatMap(({ segments }) => segments).reduce((sum, { rows }) => sum + rows, 0);
}

/** Number of finished tables. */
export function tablesDone({ pieces, next }: Progress): number {
  const begun = new Set(pieces.flatMap(({ segments }) => segments.map(({ table }) => table)));
  return begun.size - (next ? 1 : 0);
}

/** Makes one more piece; undefined when all are made. */
export async function makePiece(
  parts: PieceParts,
  before: Progress,
  signal: AbortSignal,
): Promise<Progress | undefined> {
  const begun = new Set(before.pieces.flatMap(({ segments }) => segments.map(({ table }) => table)));
  const left = EXPORTED.filter(({ table }) => table === before.next?.table || !begun.has(table));
  if (left.length === 0) return undefined;
  const { library, machineClock, keys, exportId } = parts;
  const startedAt = machineClock.now();
  const hidden = await pieceFiles(parts.read, keys.accountId);
  const segments: Segment[] = [];
  let next: Next | null = null;
  let bytes = 0;
  const isOver = (): boolean => bytes >= PIECE_BYTES || machineClock.now() - startedAt >= PIECE_MS;

  async function* segment(holding: Exported): AsyncGenerator<Buffer> {
    const from = before.next?.table === holding.table ? before.next : undefined;
    let { crc } = from ?? { crc: 0 };
    let [rows, size, packed] = [0, 0, 0];
    async function* lines(): AsyncGenerator<Buffer> {
      for await (const page of linesOf(parts.read, holding, keys, { from, hidden })) {
        signal.throwIfAborted();
        rows += page.rows;
        size += page.bytes.length;
        bytes += page.bytes.length;
        crc = crc32(page.bytes, crc);
        if (page.bytes.length > 0) yield page.bytes;
        if (!isOver()) continue;
        next = { table: holding.table, crc, ...page.upTo };
        return;
      }
    }
    for await (const chunk of deflated(lines(), { goesOn: true })) {
      packed += chunk.length;
      yield chunk;
    }
    segments.push({ table: holding.table, rows, size, packed, crc });
  }

  async function* all(): AsyncGenerator<Buffer> {
    for (const holding of left) {
      yield* segment(holding);
      if (next || isOver()) return;
    }
  }

  const { accountId } = keys;
  const { id: mediaId } = await library.keep(
    { accountId, phone: null },
    {
      bytes: all(),
      mimetype: 'application/octet-stream',
      fileName: `${exportId}.piece`,
      maxBytes: LARGEST_PIECE_BYTES,
      budget: 'export',
      keptMs: PIECE_KEPT_MS,
    },
  );
  return { pieces: [...before.pieces, { mediaId, segments }], next };
}

/** The tables as entries of the archive, once all pieces exist. */
export function* entriesOf({ library, keys }: PieceParts, progress: Progress): Generator<ZipEntry> {
  for (const { table } of EXPORTED) {
    const found = progress.pieces.flatMap(({ mediaId, segments }) =>
      segments.flatMap((segment, place) => {
        if (segment.table !== table) return [];
        const from = segments.slice(0, place).reduce((sum, { packed }) => sum + packed, 0);
        return { ...segment, mediaId, range: { from, to: from + segment.packed } };
      }),
    );
    yield {
      name: `${table}.jsonl`,
      size: found.reduce((sum, { size }) => sum + size, 0),
      crc: found.at(-1)?.crc ?? 0,
      deflated: joined(library, keys.accountId, found),
    };
  }
}

async function* joined(
  library: PieceParts['library'],
  accountId: string,
  segments: readonly { readonly mediaId: string; readonly range: { from: number; to: number } }[],
): AsyncGenerator<Uint8Array> {
  for (const { mediaId, range } of segments) {
    const file = await library.find(accountId, mediaId);
    if (!file) throw new PieceLost();
    if (range.to > range.from) yield* await library.read(file, range);
  }
}

/** A piece is missing: the archive must be started again. */
export class PieceLost extends Error {
  override readonly name = 'PieceLost';
}
