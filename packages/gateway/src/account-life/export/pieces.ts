import { crc32 } from 'node:zlib';
import type { Clock } from '#kernel';
import type { MediaLibrary } from '#media';
import type { Reader } from '#store';
import { EXPORTED, type Exported, type Keys, linesOf, type RowPlace } from './rows.ts';
import { exportsOf } from './store.ts';
import { deflated, type ZipEntry } from './zip.ts';

/**
 * The tables of an archive are packed in pieces, each of which is kept as a file of its own when it is done. A process that goes on with an
 * archive begins behind the last piece; when there are all of them they are put together, without packing anything again.
 */
export interface Progress {
  readonly pieces: readonly Piece[];
  /** Where the table goes on that the last piece has not got to the end of. */
  readonly next: Next | null;
}

interface Piece {
  readonly mediaId: string;
  readonly segments: readonly Segment[];
}

/** What a piece has of one table. */
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
/** A piece is over when it has so many bytes of lines, or has taken so long: as much as a kill can cost. */
const PIECE_BYTES = 32 * 1024 * 1024;
const PIECE_MS = 5_000;
/** Until the archive that they become is whole; a process that is killed again and again goes on for so long. */
const PIECE_KEPT_MS = 2 * 86_400_000;
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

/** All that the archives of an account were made of: files that nobody has uploaded. They are known until they are long gone. */
export async function pieceFiles(read: Reader, accountId: string): Promise<ReadonlySet<string>> {
  const rows = await exportsOf(read, accountId);
  return new Set(rows.flatMap(({ pieces }) => [...filesOf(readProgress(pieces))]));
}

export function rowsOf({ pieces }: Progress): number {
  return pieces.flatMap(({ segments }) => segments).reduce((sum, { rows }) => sum + rows, 0);
}

/** Tables that are done. */
export function tablesDone({ pieces, next }: Progress): number {
  const begun = new Set(pieces.flatMap(({ segments }) => segments.map(({ table }) => table)));
  return begun.size - (next ? 1 : 0);
}

/** One more piece; undefined when there are all. */
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

/** The tables as entries of the archive, when all pieces are there. */
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

/** A piece is not there any more: the archive has to be begun anew. */
export class PieceLost extends Error {
  override readonly name = 'PieceLost';
}
