import { isPersonal, mayBeRefused } from '#health';
import { type Clock, neverRejects, SEND_RETRIES, type SealedBox, UnopenableBox, warnOf } from '#kernel';
import type { NetworkSession } from '#network';
import type { Store } from '#store';
import { mediaOf } from '../kinds/index.ts';
import { openSend } from '../sealed-send.ts';
import type { MediaNeed } from './media-spool.ts';
import type { Outcome } from './outcome.ts';
import type { FilesAhead } from './prefetched-files.ts';
import { firstQueued, type QueuedMessage, queuedBehind, stillQueued } from './store.ts';

/** What a lane does next. */
export type Next =
  | {
      readonly kind: 'send';
      readonly message: QueuedMessage;
      /** Nothing else was in the queue. */
      readonly isAlone: boolean;
    }
  | {
      readonly kind: 'end';
      readonly message: QueuedMessage;
      readonly outcome: Extract<Outcome, { kind: 'failed' }>;
    }
  /** For so long, or until it is woken. */
  | { readonly kind: 'rest'; readonly ms?: number };

export interface NextContext {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
}

/** How soon it is noticed that a number may send again. */
const LOOK_WHILE_SUSPENDED_MS = 1_000;
const KEPT_WHILE_SUSPENDED_MS = 24 * 60 * 60 * 1_000;
/** How far a lane looks past messages whose files are still being fetched. */
const LOOK_AHEAD = 200;
const LONGEST_PAUSE_MS = Math.max(...SEND_RETRIES.delaysMs) * (1 + SEND_RETRIES.jitter);

/**
 * Finds what a number has to send next: the first in its queue, unless that one's file is still being fetched, or the network lets the number
 * begin no new chats at this time and this would be one. Then the first message of
 * another chat goes that waits for nothing, and what needs a file on the way there has it fetched too. A message that waits for its next
 * attempt holds back all behind it.
 */
export async function nextToSend(
  context: NextContext,
  slotId: string,
  files: FilesAhead,
  session: Pick<NetworkSession, 'chatOf'>,
): Promise<Next> {
  const head = await firstQueued(context.store, slotId);
  const standstill = head ? standstillOf(head, context.clock.now()) : ({ kind: 'rest' } as const);
  if (!head || standstill) {
    neverRejects(files.drop());
    return standstill ?? { kind: 'rest' };
  }
  return isHeldBack(head, head, context.clock.now()) || waitsForFile(context, head, files)
    ? nextBehind(context, head, files, session)
    : { kind: 'send', message: head, isAlone: head.next_seq === null };
}

async function nextBehind(
  context: NextContext,
  head: QueuedMessage,
  files: FilesAhead,
  session: Pick<NetworkSession, 'chatOf'>,
): Promise<Next> {
  const { store, clock } = context;
  const behind = await queuedBehind(store, head, LOOK_AHEAD);
  /** Somebody can stand here under two addresses only where one of them hides a number. */
  const isMixed = [head, ...behind].some(({ to_jid }) => to_jid.endsWith('@lid'));
  const chatOf = async (jid: string): Promise<string> => (isMixed ? session.chatOf(jid) : jid);
  const heldChats = new Set([await chatOf(head.to_jid)]);
  const seen = new Set([head.message_id]);
  for (const row of behind) {
    const restMs = restMsOf(row, clock.now());
    if (restMs > 0) {
      neverRejects(files.drop((messageId) => !seen.has(messageId)));
      return { kind: 'rest', ms: restMs };
    }
    seen.add(row.message_id);
    const chat = await chatOf(row.to_jid);
    if (heldChats.has(chat)) continue;
    const waits = isHeldBack(head, row, clock.now()) || mustWait(row, files);
    const message = waits ? undefined : await stillQueued(store, row);
    if (message && !waitsForFile(context, message, files)) return { kind: 'send', message, isAlone: false };
    heldChats.add(chat);
  }
  // Files of messages that a receipt has settled meanwhile.
  neverRejects(files.drop((messageId) => !seen.has(messageId)));
  return { kind: 'rest' };
}

/** Whether the network would refuse it as a new chat, by all that it says about the number. What is refused counts against the number. */
function isHeldBack(
  number: QueuedMessage,
  { to_jid, reached_at, answered_at }: Pick<QueuedMessage, 'to_jid' | 'reached_at' | 'answered_at'>,
  now: number,
): boolean {
  return isPersonal(to_jid) && reached_at === null && answered_at === null && mayBeRefused(number, now);
}

function standstillOf(head: QueuedMessage, now: number): Next | undefined {
  const suspension = suspensionOf(head, now);
  if (suspension === 'waits') return { kind: 'rest', ms: LOOK_WHILE_SUSPENDED_MS };
  if (suspension) return { kind: 'end', message: head, outcome: suspension };
  const ms = restMsOf(head, now);
  return ms > 0 ? { kind: 'rest', ms } : undefined;
}

/**
 * Whether a message must wait because its account or number may not send: it goes on when that is over. After a day it fails, because what
 * was to be said then is old news. Undefined: it may leave.
 */
function suspensionOf(
  { account_status, device_status, accepted_at }: QueuedMessage,
  now: number,
): 'waits' | Extract<Outcome, { kind: 'failed' }> | undefined {
  if (account_status === 'active' && device_status === 'active') return undefined;
  if (now - accepted_at < KEPT_WHILE_SUSPENDED_MS) return 'waits';
  const why =
    account_status === 'active' ? `the number is ${device_status}` : `the account is ${account_status}`;
  return {
    kind: 'failed',
    reason: 'SEND_FAILED',
    detail: `It could not leave within 24 hours: ${why}.`,
  };
}

/** What waits for its first attempt waits for nothing else, whatever the clock said when it was accepted. */
function restMsOf(
  { attempts, due_at }: { readonly attempts: number; readonly due_at: number },
  now: number,
): number {
  return attempts === 0 ? 0 : Math.min(due_at - now, LONGEST_PAUSE_MS);
}

/** Types of messages that may need a file; only the message itself says whether it does, and which. */
const WITH_FILE: ReadonlySet<string> = new Set(['media', 'sticker', 'status']);

/** Spares a look at the message where its file cannot be there. A status may be mere words. */
function mustWait(row: { readonly message_id: string; readonly type: string }, files: FilesAhead): boolean {
  if (!WITH_FILE.has(row.type)) return false;
  const state = files.stateOf(row.message_id);
  return state === 'under way' || (state === 'none' && files.isFull && row.type !== 'status');
}

/** False when it can be sent. Begins to fetch the file where there is room for it. */
function waitsForFile(context: NextContext, message: QueuedMessage, files: FilesAhead): boolean {
  const need = needOf(context, message);
  if (!need) return false;
  const state = files.stateOf(message.message_id);
  if (state === 'none' && !files.isFull) files.begin(message, need);
  return state !== 'there';
}

/** What cannot be opened needs no file: it fails when it is tried. */
function needOf({ sealedBox }: NextContext, message: QueuedMessage): MediaNeed | undefined {
  if (!WITH_FILE.has(message.type)) return undefined;
  try {
    return mediaOf(openSend(sealedBox, message));
  } catch (error) {
    if (!(error instanceof UnopenableBox)) warnOf('the file of a message could not be looked for')(error);
    return undefined;
  }
}
