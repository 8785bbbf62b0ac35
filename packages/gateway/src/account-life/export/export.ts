import { type AccountExport, EXPORT_KEPT_DAYS } from '@parley/contract';
import { actorOf, changeInTurn, type DataKeys, record } from '#accounts';
import { type BoxOpener, type Clock, fault, type JobLog, type PeriodicJob, startPeriodicJob } from '#kernel';
import { answerFile, type FileCall, type MediaLibrary } from '#media';
import type { AccountExportRow } from '#store';
import type { LifeContext } from '../context.ts';
import { type MediaContext, mediaFiles } from './media-files.ts';
import { EXPORTED, linesOf } from './rows.ts';
import { changeExport, dropOldExports, exportsOf, exportsToSee, insertExport, takeExport } from './store.ts';
import { type ZipEntry, zip } from './zip.ts';

export interface ExportContext extends LifeContext, Pick<MediaContext, 'mediaLimit'> {
  readonly machineClock: Pick<Clock, 'now'>;
  readonly library: Pick<MediaLibrary, 'keep' | 'find' | 'read' | 'hold' | 'forget'>;
  readonly dataKeys: DataKeys;
  readonly sealedBox: BoxOpener;
}

const LOOK_EVERY_MS = 5_000;
/** Renewed with every table; whoever dies over one is followed after this. */
const TAKEN_MS = 5 * 60_000;
const KEPT_MS = EXPORT_KEPT_DAYS * 86_400_000;
/** The tables, and the files. */
const STEPS = EXPORTED.length + 1;
/** As far as the plain format of the archive goes. */
const MOST_BYTES = 0xffff_ffff;

/** Asks for one; while one is being made, that is it. */
export function askForExport(
  context: LifeContext,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<AccountExport> {
  const { store, clock, ids } = context;
  return changeInTurn(store, async (trx) => {
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

/** Newest first, as long as their files are there. */
export async function listExports(
  { store, clock }: Pick<LifeContext, 'store' | 'clock'>,
  accountId: string,
): Promise<AccountExport[]> {
  const rows = await exportsOf(store.read, accountId);
  return rows.filter((row) => clock.now() - (row.ready_at ?? row.asked_at) < KEPT_MS).map(publicExport);
}

/** Its file, or the part of it that is asked for. */
export async function downloadExport(
  context: ExportContext,
  { accountId, memberId, exportId }: { accountId: string; memberId: string; exportId: string },
  call: FileCall,
) {
  const { store, clock, library } = context;
  const found = (await exportsOf(store.read, accountId)).find(({ id }) => id === exportId);
  const file = found?.media_id && (await library.find(accountId, found.media_id));
  if (!file) throw fault('export_not_found');
  await changeInTurn(store, (trx) =>
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

/** Makes what was asked for, one after the other. What was begun by a process that died is begun anew by whoever comes first. */
export function startExports(
  context: ExportContext,
  { machineClock, log }: { machineClock: Clock; log: JobLog },
): PeriodicJob {
  return startPeriodicJob({
    clock: machineClock,
    everyMs: LOOK_EVERY_MS,
    work: (stopping) => makeExports(context, log, stopping),
    log,
    complaint: 'could not look for exports; it is tried again',
  });
}

export async function makeExports(
  context: ExportContext,
  log: JobLog,
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clock, machineClock } = context;
  const oldBefore = clock.now() - 2 * KEPT_MS;
  const found = await exportsToSee(store.read, { machineNow: machineClock.now(), oldBefore });
  if (found.some(({ asked_at }) => asked_at <= oldBefore)) await dropOldExports(store, oldBefore);
  for (const row of found.filter(({ asked_at }) => asked_at > oldBefore)) {
    if (stopping?.aborted) return;
    const taken = { id: row.id, takenUntil: machineClock.now() + TAKEN_MS };
    if (!(await takeExport(store, row, taken.takenUntil))) continue;
    try {
      await makeExport(context, row, taken, stopping);
    } catch (error) {
      if (stopping?.aborted) return;
      log.error({ err: error, exportId: row.id }, 'could not make an export');
      await changeExport(store, taken, { state: 'failed', ready_at: clock.now() });
    }
  }
}

async function makeExport(
  context: ExportContext,
  { id, account_id: accountId }: AccountExportRow,
  taken: { id: string; takenUntil: number },
  stopping?: AbortSignal,
): Promise<void> {
  const { store, clock, machineClock, library, dataKeys, sealedBox: boxes, random } = context;
  const keys = {
    ...{ boxes, accountId, random },
    accountBox: await dataKeys.boxOf(accountId),
    accountKey: await dataKeys.of(accountId),
  };
  let rows = 0;
  const renew = async (change: Partial<AccountExportRow>): Promise<void> => {
    stopping?.throwIfAborted();
    const takenUntil = machineClock.now() + TAKEN_MS;
    if (!(await changeExport(store, taken, { ...change, taken_until: takenUntil })))
      throw new Error('the export is made by another process');
    taken.takenUntil = takenUntil;
  };

  async function* files(): AsyncGenerator<ZipEntry> {
    yield { name: 'README.txt', bytes: once(README) };
    for (const [place, holding] of EXPORTED.entries()) {
      stopping?.throwIfAborted();
      yield {
        name: `${holding.table}.jsonl`,
        bytes: linesOf(store.read, holding, keys, (count) => {
          rows += count;
        }),
      };
      await renew({ steps_done: place + 1, rows_written: rows });
    }
    const media = yield* mediaFiles(context, accountId, async () => {
      stopping?.throwIfAborted();
      if (machineClock.now() > taken.takenUntil - TAKEN_MS / 2) await renew({});
    });
    const manifest = { account_id: accountId, made_at: new Date(clock.now()).toISOString(), rows, media };
    yield { name: 'manifest.json', bytes: once(`${JSON.stringify(manifest, null, 2)}\n`) };
    await renew({ steps_done: STEPS });
  }

  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const file = await library.keep(
    { accountId, phone: null },
    {
      bytes: zip(files()),
      mimetype: 'application/zip',
      fileName: `parley-export-${day}.zip`,
      maxBytes: MOST_BYTES,
      keptMs: KEPT_MS,
    },
  );
  const done = { state: 'ready', media_id: file.id, size: file.size, ready_at: clock.now() } as const;
  if (!(await changeExport(store, taken, done))) await library.forget(file);
  else return;
  throw new Error(`the export ${id} was dropped while it was made`);
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
