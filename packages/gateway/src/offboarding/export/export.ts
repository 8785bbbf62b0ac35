import { type AccountExport, EXPORT_KEPT_DAYS, EXPORTS_LISTED_MAX } from '@parley/contract';
import { actorOf, auditedTransaction, type DataKeys, record } from '#accounts';
import {
  ApiError,
  apiError,
  type Beginning,
  type BoxOpener,
  beginningOf,
  type Clock,
  DAY_MS,
  type JobLog,
  type PeriodicJob,
  startPeriodicJob,
} from '#kernel';
import { answerFile, type FileCall, type MediaLibrary } from '#media';
import type { AccountExportRow } from '#platform/store';
import type { LifeContext } from '../context.ts';
import { dropOldExports, exportsOf, exportsToSee, insertExport } from '../offboarding-queries.ts';
import { type Lease, takeLease } from './lease.ts';
import { type MediaContext, mediaFiles } from './media-files.ts';
import {
  entriesOf,
  filesOf,
  makePiece,
  PieceLost,
  type Progress,
  rowsOf,
  tablesDone,
  writeProgress,
} from './pieces.ts';
import { EXPORTED, type TemplateOpener } from './rows.ts';
import { type ZipEntry, zip } from './zip.ts';

export interface ExportContext extends LifeContext, Pick<MediaContext, 'mediaLimit'> {
  readonly machineClock: Pick<Clock, 'now' | 'after'>;
  readonly library: Pick<MediaLibrary, 'keep' | 'find' | 'read' | 'hold' | 'forget'>;
  readonly dataKeys: DataKeys;
  readonly sealedBox: BoxOpener;
  readonly openTemplate: TemplateOpener;
}

const LOOK_EVERY_MS = 5_000;
/** Doubled with each failure: five of them take five minutes. */
const RETRY_AFTER_MS = 20_000;
const MOST_FAILURES = 5;
const KEPT_MS = EXPORT_KEPT_DAYS * DAY_MS;
/** The tables, and the files. */
const STEPS = EXPORTED.length + 1;
/** Limit of the plain ZIP format. */
const MOST_BYTES = 0xffff_ffff;

/** Requests an export; returns the current one while it is being made. */
export function askForExport(
  context: LifeContext,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<AccountExport> {
  const { store, clock, ids } = context;
  return auditedTransaction(store, async (trx) => {
    const open = (await exportsOf(trx, accountId)).find(({ state }) => state === 'waiting');
    if (open) return publicExport(open);
    const row: AccountExportRow = {
      id: ids.export(),
      account_id: accountId,
      asked_by: memberId,
      asked_at: clock.now(),
      state: 'waiting',
      steps_done: 0,
      rows_written: 0,
      taken_until: 0,
      pieces: null,
      failures: 0,
      media_id: null,
      size: null,
      ready_at: null,
    };
    await insertExport(trx, row);
    const actor = actorOf({ id: memberId });
    const change = { actor, accountId, action: 'account.export_asked', subject: row.id } as const;
    await record(trx, row.asked_at, change);
    return publicExport(row);
  });
}

/** Newest first, while their files exist. */
export async function listExports(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  accountId: string,
): Promise<Beginning<AccountExport>> {
  const rows = await exportsOf(store.read, accountId);
  const kept = rows.filter((row) => clock.now() - (row.ready_at ?? row.asked_at) < KEPT_MS);
  return beginningOf(kept.map(publicExport), EXPORTS_LISTED_MAX);
}

/** The file, or the requested range of it. */
export async function downloadExport(
  context: ExportContext,
  { accountId, memberId, exportId }: { accountId: string; memberId: string; exportId: string },
  call: FileCall,
) {
  const { store, clock, library } = context;
  const found = (await exportsOf(store.read, accountId)).find(({ id }) => id === exportId);
  const file = found?.media_id && (await library.find(accountId, found.media_id));
  if (!file) throw apiError('export_not_found');
  await auditedTransaction(store, (trx) =>
    record(trx, clock.now(), {
      actor: actorOf({ id: memberId }),
      accountId,
      action: 'account.export_downloaded',
      subject: exportId,
    }),
  );
  return answerFile(library, file, call);
}

function publicExport(row: AccountExportRow): AccountExport {
  const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return {
    export_id: row.id,
    status: row.state === 'waiting' ? 'preparing' : row.state,
    progress: Math.floor((100 * row.steps_done) / STEPS),
    rows: row.rows_written,
    size: row.size,
    asked_at: new Date(row.asked_at).toISOString(),
    ready_at: isoTime(row.ready_at),
    expires_at: row.ready_at === null ? null : isoTime(row.ready_at + KEPT_MS),
  };
}

/**
 * Makes requested exports, one after the other. An export of a process that died is resumed by another one after its
 * lease.
 */
export function startExports(
  context: ExportContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  // On the embedded database no other process makes exports, so leases found at the start are stale.
  let isFirst = context.store.dialect === 'sqlite';
  return startPeriodicJob({
    clock: machineClock,
    everyMs: LOOK_EVERY_MS,
    work: async (stopping) => {
      const leases = isFirst ? 'of the dead' : 'held';
      await makeExports(context, log, { stopping, leases });
      isFirst = false;
    },
    log,
    name: 'exports',
  });
}

export async function makeExports(
  context: ExportContext,
  log: JobLog,
  {
    stopping = new AbortController().signal,
    leases = 'held',
  }: { readonly stopping?: AbortSignal; readonly leases?: 'held' | 'of the dead' } = {},
): Promise<void> {
  const { store, clock, machineClock } = context;
  const oldBefore = clock.now() - 2 * KEPT_MS;
  const machineNow = leases === 'held' ? machineClock.now() : Number.MAX_SAFE_INTEGER;
  const found = await exportsToSee(store.read, { machineNow, oldBefore });
  if (found.some(({ asked_at }) => asked_at <= oldBefore)) await dropOldExports(store, oldBefore);
  for (const row of found.filter(({ asked_at }) => asked_at > oldBefore)) {
    if (stopping.aborted) return;
    const lease = await takeLease(store, machineClock, row);
    if (!lease) continue;
    try {
      await makeExport(context, row, lease, AbortSignal.any([stopping, lease.lost]));
    } catch (error) {
      if (stopping.aborted) await lease.change({ taken_until: 0 });
      else if (!lease.lost.aborted) await noteFailure(context, row, lease, error, log);
    } finally {
      lease.stop();
    }
  }
}

/** A failed export is retried from its last piece; after several failures it is given up. */
async function noteFailure(
  { clock, machineClock, library }: ExportContext,
  { id, account_id: accountId, failures }: AccountExportRow,
  lease: Lease,
  error: unknown,
  log: JobLog,
): Promise<void> {
  const isOver = error instanceof ApiError || failures + 1 >= MOST_FAILURES;
  log.error({ err: error, exportId: id, failures: failures + 1 }, 'could not make an export');
  if (!isOver) {
    const taken_until = machineClock.now() + RETRY_AFTER_MS * 2 ** failures;
    const anew = error instanceof PieceLost && { pieces: null, steps_done: 0, rows_written: 0 };
    await lease.change({ failures: failures + 1, taken_until, ...anew });
  } else if (await lease.change({ state: 'failed', ready_at: clock.now() }))
    await forgetPieces(library, accountId, lease.progress());
}

async function makeExport(
  context: ExportContext,
  { id, account_id: accountId }: AccountExportRow,
  lease: Lease,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, machineClock, library, dataKeys, sealedBox: boxes, random, openTemplate } = context;
  const keys = {
    ...{ boxes, accountId, random, openTemplate },
    accountBox: await dataKeys.boxOf(accountId),
    accountKey: await dataKeys.of(accountId),
  };
  const parts = { read: store.read, library, machineClock, keys, exportId: id };
  const change = async (wanted: Partial<AccountExportRow>): Promise<void> => {
    if (!(await lease.change(wanted)))
      throw new Error(`the export ${id} was dropped or taken while it was made`);
  };
  for (;;) {
    const more = await makePiece(parts, lease.progress(), signal);
    if (!more) break;
    const done = { steps_done: tablesDone(more), rows_written: rowsOf(more) };
    await change({ pieces: writeProgress(more), ...done });
  }
  const progress = lease.progress();

  async function* files(): AsyncGenerator<ZipEntry> {
    yield { name: 'README.txt', bytes: once(README) };
    for (const entry of entriesOf(parts, progress)) {
      signal.throwIfAborted();
      yield entry;
    }
    const media = yield* mediaFiles(context, accountId, () => signal.throwIfAborted());
    const rows = rowsOf(progress);
    const manifest = { account_id: accountId, made_at: new Date(clock.now()).toISOString(), rows, media };
    yield { name: 'manifest.json', bytes: once(`${JSON.stringify(manifest, null, 2)}\n`) };
  }

  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const file = await library.keep(
    { accountId, phone: null },
    {
      bytes: zip(files()),
      mimetype: 'application/zip',
      fileName: `parley-export-${day}.zip`,
      maxBytes: MOST_BYTES,
      budget: 'export',
      keptMs: KEPT_MS,
    },
  );
  const ready = { state: 'ready', media_id: file.id, size: file.size, ready_at: clock.now() } as const;
  if (await lease.change({ ...ready, steps_done: STEPS })) return forgetPieces(library, accountId, progress);
  await library.forget(file);
  throw new Error(`the export ${id} was dropped while it was made`);
}

/** Pieces left behind by a kill expire. */
async function forgetPieces(
  library: Pick<MediaLibrary, 'find' | 'forget'>,
  accountId: string,
  progress: Progress,
): Promise<void> {
  for (const id of filesOf(progress)) {
    const file = await library.find(accountId, id);
    if (file) await library.forget(file);
  }
}

const README = `All that this account has, one file per kind, one JSON object per line.

Times are milliseconds since 1970 (UTC) unless they are written out; flags are 0 or 1. What was sealed is opened: conversations
(history_messages, history_marks), events, templates. Left out are secrets: keys, passwords, webhook secrets, codes, and the keys of linked
devices. Files that came with messages or were uploaded are listed in media.jsonl; those that are stored here lie in the folder media, under
their ids. manifest.json says how many there are, and which were left out: those beyond the limit, and those that are not here (any more).
`;

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
