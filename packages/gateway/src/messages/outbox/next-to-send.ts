import { isPersonal, networkWouldRefuseNewChat } from '#health';
import {
  type Clock,
  DAY_MS,
  neverRejects,
  SEND_RETRIES,
  type SealedBox,
  UnopenableBox,
  warnOf,
} from '#kernel';
import type { NetworkSession } from '#network';
import type { Store } from '#platform/store';
import { mediaOf } from '../kinds/kinds.ts';
import { openSend } from '../sealed-send.ts';
import type { MediaNeed } from './media-spool.ts';
import { firstQueued, type QueuedMessage, queuedBehind, stillQueued } from './outbox-queries.ts';
import type { Outcome } from './outcome.ts';
import type { PrefetchedFiles } from './prefetched-files.ts';

/** Next step of a lane. */
type Next =
  | {
      readonly kind: 'send';
      readonly message: QueuedMessage;
      /** No other message was in the queue. */
      readonly isAlone: boolean;
    }
  | {
      readonly kind: 'end';
      readonly message: QueuedMessage;
      readonly outcome: Extract<Outcome, { kind: 'failed' }>;
    }
  /** For this long, or until it is woken. */
  | { readonly kind: 'rest'; readonly ms?: number };

interface NextContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
}

/** How soon the end of a suspension is noticed. */
const SUSPENDED_POLL_MS = 1_000;
const SUSPENDED_TTL_MS = DAY_MS;
/** Messages per look past chats that wait: few at first, because most often the next one may leave. */
const FIRST_LOOK = 20;
const LOOK_AHEAD = 200;
/** How often a lane looks further while a retry holds back a chat with a long queue. */
const LOOKS = 20;
const LONGEST_PAUSE_MS = Math.max(...SEND_RETRIES.delaysMs) * (1 + SEND_RETRIES.jitter);

/**
 * Selects the next message of a number. Skips a chat whose first message waits for its retry or its file, or is held
 * back by new-chat pacing; messages of one chat keep their order. Starts fetching the files that it passes.
 */
export async function nextToSend(
  context: NextContext,
  slotId: string,
  files: PrefetchedFiles,
  session: Pick<NetworkSession, 'chatOf'>,
  /** Messages that were not tried yet go before those that are due again. */
  prefersUntried: boolean,
): Promise<Next> {
  const next = await selectNext(context, slotId, files, session, prefersUntried);
  return prefersUntried && next.kind === 'rest' ? selectNext(context, slotId, files, session, false) : next;
}

async function selectNext(
  context: NextContext,
  slotId: string,
  files: PrefetchedFiles,
  session: Pick<NetworkSession, 'chatOf'>,
  skipsRetries: boolean,
): Promise<Next> {
  const now = context.clock.now();
  const head = await firstQueued(context.store, slotId);
  const standstill = head ? standstillOf(head, now) : ({ kind: 'rest' } as const);
  if (!head || standstill) {
    neverRejects(files.drop());
    return standstill ?? { kind: 'rest' };
  }
  const waits =
    retryMsOf(head, now) !== NO_RETRY ||
    (skipsRetries && head.attempts > 0) ||
    isHeldBack(head, head, now) ||
    waitsForFile(context, head, files);
  return waits
    ? nextBehind(context, head, files, session, skipsRetries)
    : { kind: 'send', message: head, isAlone: head.next_seq === null };
}

async function nextBehind(
  context: NextContext,
  head: QueuedMessage,
  files: PrefetchedFiles,
  session: Pick<NetworkSession, 'chatOf'>,
  skipsRetries: boolean,
): Promise<Next> {
  const { store, clock } = context;
  const held = createHeldChats(session);
  const seen = new Set([head.message_id]);
  let restMs = retryMsOf(head, clock.now());
  await held.meet([head]);
  await held.add(head);
  let last: Pick<QueuedMessage, 'slot_id' | 'seq'> | undefined = head;
  for (let look = 0; last && look < LOOKS; look++) {
    const count = look === 0 ? FIRST_LOOK : LOOK_AHEAD;
    const rows = await queuedBehind(store, last, count);
    await held.meet(rows);
    for (const row of rows) {
      seen.add(row.message_id);
      if (await held.has(row)) continue;
      const retryMs = retryMsOf(row, clock.now());
      restMs = Math.min(restMs, retryMs);
      const waits =
        retryMs !== NO_RETRY ||
        (skipsRetries && row.attempts > 0) ||
        isHeldBack(head, row, clock.now()) ||
        mustWait(row, files);
      const message = waits ? undefined : await stillQueued(store, row);
      if (message && !waitsForFile(context, message, files)) return { kind: 'send', message, isAlone: false };
      await held.add(row);
    }
    const isFarEnough = look > 0 && restMs === NO_RETRY;
    last = rows.length < count || isFarEnough ? undefined : rows.at(-1);
  }
  // Files of messages that a receipt has settled meanwhile.
  neverRejects(files.drop((messageId) => !seen.has(messageId)));
  return restMs === NO_RETRY ? { kind: 'rest' } : { kind: 'rest', ms: restMs };
}

type Addressed = Pick<QueuedMessage, 'to_jid'>;

/** Chats of a queue that wait. */
function createHeldChats(session: Pick<NetworkSession, 'chatOf'>) {
  let chats = new Set<string>();
  /** A person has two addresses here only where one of them hides a number. */
  let isMixed = false;
  const chatOf = async ({ to_jid }: Addressed): Promise<string> =>
    isMixed ? session.chatOf(to_jid) : to_jid;
  return {
    /** Call it with all messages before it is asked about one of them. */
    async meet(messages: readonly Addressed[]): Promise<void> {
      if (isMixed || !messages.some(({ to_jid }) => to_jid.endsWith('@lid'))) return;
      isMixed = true;
      chats = new Set(await Promise.all([...chats].map((to_jid) => chatOf({ to_jid }))));
    },
    has: async (message: Addressed): Promise<boolean> => chats.has(await chatOf(message)),
    async add(message: Addressed): Promise<void> {
      chats.add(await chatOf(message));
    },
  };
}

/**
 * Whether the network would refuse it as a new chat, by everything it reports about the number. Refusals count
 * against the number.
 */
function isHeldBack(
  number: QueuedMessage,
  { to_jid, reached_at, answered_at }: Pick<QueuedMessage, 'to_jid' | 'reached_at' | 'answered_at'>,
  now: number,
): boolean {
  return (
    isPersonal(to_jid) &&
    reached_at === null &&
    answered_at === null &&
    networkWouldRefuseNewChat(number, now)
  );
}

function standstillOf(head: QueuedMessage, now: number): Next | undefined {
  const suspension = suspensionOf(head, now);
  if (suspension === 'waits') return { kind: 'rest', ms: SUSPENDED_POLL_MS };
  if (suspension) return { kind: 'end', message: head, outcome: suspension };
  const ms = head.number_due_at === null ? 0 : boundedMs(head.number_due_at - now);
  return ms > 0 ? { kind: 'rest', ms } : undefined;
}

/**
 * Whether a message must wait because its account or number is suspended. It fails after a day, because its text is
 * outdated by then. Undefined: it may leave.
 */
function suspensionOf(
  { account_status, device_status, accepted_at }: QueuedMessage,
  now: number,
): 'waits' | Extract<Outcome, { kind: 'failed' }> | undefined {
  if (account_status === 'active' && device_status === 'active') return undefined;
  if (now - accepted_at < SUSPENDED_TTL_MS) return 'waits';
  const why =
    account_status === 'active' ? `the number is ${device_status}` : `the account is ${account_status}`;
  return {
    kind: 'failed',
    reason: 'SEND_FAILED',
    detail: `It could not leave within 24 hours: ${why}.`,
  };
}

const NO_RETRY = Number.POSITIVE_INFINITY;

/** How long a message waits for its retry. One without an attempt is due, whatever the clock was at its acceptance. */
function retryMsOf({ attempts, due_at }: Pick<QueuedMessage, 'attempts' | 'due_at'>, now: number): number {
  const ms = attempts === 0 ? 0 : boundedMs(due_at - now);
  return ms > 0 ? ms : NO_RETRY;
}

/** A clock that was set back must not make a pause longer. */
function boundedMs(ms: number): number {
  return Math.min(ms, LONGEST_PAUSE_MS);
}

/** Types of messages that may need a file; only the message itself has its address. */
const WITH_FILE: ReadonlySet<string> = new Set(['media', 'sticker', 'status']);

/** Skips opening a message whose file cannot be ready. A status may be text only. */
function mustWait(
  row: { readonly message_id: string; readonly type: string },
  files: PrefetchedFiles,
): boolean {
  if (!WITH_FILE.has(row.type)) return false;
  const state = files.stateOf(row.message_id);
  return state === 'under way' || (state === 'none' && files.isFull && row.type !== 'status');
}

/** False when it can be sent. Begins to fetch the file when there is a free slot. */
function waitsForFile(context: NextContext, message: QueuedMessage, files: PrefetchedFiles): boolean {
  const need = needOf(context, message);
  if (!need) return false;
  const state = files.stateOf(message.message_id);
  if (state === 'none' && !files.isFull) files.begin(message, need);
  return state !== 'there';
}

/** A message that cannot be opened needs no file: its attempt fails. */
function needOf({ sealedBox }: NextContext, message: QueuedMessage): MediaNeed | undefined {
  if (!WITH_FILE.has(message.type)) return undefined;
  try {
    return mediaOf(openSend(sealedBox, message));
  } catch (error) {
    if (!(error instanceof UnopenableBox)) warnOf('the file of a message could not be determined')(error);
    return undefined;
  }
}
