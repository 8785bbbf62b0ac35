import { HISTORY_DAYS_DEFAULT, type History, type HistoryImport } from '@parley/contract';
import { type Actor, auditedTransaction, type DataKeys, record } from '#accounts';
import { apiError, type Clock, type Ids } from '#kernel';
import type { Bus } from '#platform/bus';
import type { HistoryImportRow, HistoryRow, Store, Writer } from '#platform/store';
import {
  endHistory,
  findHistory,
  importsOf,
  insertHistory,
  sizeOf,
  updateHistory,
} from './conversation-queries.ts';
import { dropSomeFiles, dropSomeOf } from './forgetting/deletion-queries.ts';
import { HISTORIES_TOPIC, type Histories } from './histories.ts';
import type { FileLinks } from './reading.ts';

export interface HistoryContext {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'history'>;
  readonly keys: DataKeys;
  readonly histories: Pick<Histories, 'learn'>;
  readonly links: FileLinks;
  /** Size limit of a number's history; beyond it the oldest messages are deleted. */
  readonly maxBytes: number;
}

/** The number, and the account that owns its history. */
export interface Keeping {
  readonly slotId: string;
  readonly accountId: string;
  readonly phone: string;
}

export interface Choice {
  readonly enabled: boolean;
  readonly days?: number | undefined;
  readonly media?: boolean | undefined;
}

/** Deletion steps before the answer leaves; the rest follows within a minute. */
const STEPS_AT_ONCE = 20;

export async function readChoice(context: HistoryContext, number: Keeping): Promise<History> {
  return viewOf(context, number, await findHistory(context.store.read, number.slotId));
}

/** Switches the history on or off, or changes its settings. */
export async function choose(
  context: HistoryContext,
  number: Keeping,
  choice: Choice,
  by?: Actor,
): Promise<History> {
  const { store, bus, histories } = context;
  const newId = context.ids.history();
  if (!choice.enabled && (choice.days !== undefined || choice.media !== undefined))
    throw apiError('invalid_field', { text: 'days and media are only for a history that is enabled' });
  // Created first: a message may only be stored when there is a key for it.
  if (choice.enabled) await context.keys.boxOf(number.accountId);
  const now = context.clock.now();
  const ended = await auditedTransaction(store, async (trx) => {
    const { accountId, slotId: subject, phone } = number;
    const detail = { phone, enabled: choice.enabled };
    if (by) await record(trx, now, { actor: by, accountId, action: 'history.chosen', subject, detail });
    return choice.enabled
      ? switchOn(trx, number, choice, { id: newId, since: now })
      : endHistory(trx, number.slotId, now);
  });
  await histories.learn(number.slotId);
  bus.publish(HISTORIES_TOPIC, number.slotId);
  if (ended) await forgetSoon(store, ended);
  if (choice.media === false) await forgetFiles(store, number.slotId);
  return readChoice(context, number);
}

async function switchOn(
  trx: Writer,
  { slotId, accountId }: Keeping,
  { days, media }: Choice,
  { id, since }: { id: string; since: number },
): Promise<undefined> {
  const before = await findHistory(trx, slotId);
  const chosen = {
    days: days ?? before?.days ?? HISTORY_DAYS_DEFAULT,
    media: Number(media ?? (before ? before.media === 1 : true)),
  };
  if (before) await updateHistory(trx, before.id, chosen);
  else
    await insertHistory(trx, {
      id,
      slot_id: slotId,
      account_id: accountId,
      since,
      ended_at: null,
      ...chosen,
    });
  return undefined;
}

/** Files are few beside messages: all are released before the answer leaves. */
async function forgetFiles(store: Store, slotId: string): Promise<void> {
  const history = await findHistory(store.read, slotId);
  while (history && (await store.transaction((trx) => dropSomeFiles(trx, history.id))));
}

async function forgetSoon(store: Store, historyId: string): Promise<void> {
  for (let step = 0; step < STEPS_AT_ONCE; step++) if (!(await dropSomeOf(store, historyId))) break;
  await store.foldLog();
}

async function viewOf(
  { store, maxBytes: max_bytes }: HistoryContext,
  { phone }: Keeping,
  row: HistoryRow | undefined,
): Promise<History> {
  if (!row) return { phone, enabled: false, chats: 0, messages: 0, bytes: 0, max_bytes };
  const imports = await importsOf(store.read, row.id);
  return {
    phone,
    enabled: true,
    days: row.days,
    media: row.media === 1,
    since_unix: Math.floor(row.since / 1_000),
    ...(await sizeOf(store.read, row.id)),
    max_bytes,
    ...(imports.length > 0 && { import: viewOfImports(imports) }),
  };
}

/** Combines all imports of the number's phone. */
function viewOfImports(imports: readonly HistoryImportRow[]): HistoryImport {
  const shares = imports.flatMap(({ progress }) => progress ?? []);
  const seconds = (ms: readonly number[]): number[] => ms.map((each) => Math.floor(each / 1_000));
  return {
    state: imports.find(({ state }) => state !== 'done')?.state ?? 'done',
    ...(shares.length > 0 && { progress: Math.max(...shares) }),
    messages: imports.reduce((sum, { messages }) => sum + messages, 0),
    started_at_unix: Math.min(...seconds(imports.map(({ started_at }) => started_at))),
    updated_at_unix: Math.max(...seconds(imports.map(({ updated_at }) => updated_at))),
  };
}
