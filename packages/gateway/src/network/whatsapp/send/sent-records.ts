import { proto } from 'baileys';
import type { OutboundMessage } from '../../content.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { accountsOf } from '../convert/index.ts';
import { secretOf } from '../receive/sealed-updates.ts';
import type { SessionContext } from '../session-context.ts';
import { toChange } from '../vault/index.ts';
import type { Outgoing } from './outgoing.ts';

/** Built messages, stored for a week before they leave: the same id always means the same message. */
export interface SentRecords {
  find(messageId: string): Promise<Outgoing | undefined>;
  /** Like `find`, for a message that is about to be sent; skips the read when no earlier attempt is possible. */
  findBefore(message: Pick<OutboundMessage, 'messageId' | 'acceptedAt'>): Promise<Outgoing | undefined>;
  /** Later commits of the link resolve only after this record is durable. */
  keep(messageId: string, outgoing: Outgoing): Promise<void>;
}

/** Record in the vault, with the message in the network's own encoding. */
interface SentRecord extends Omit<Outgoing, 'message'> {
  readonly bytes: Uint8Array;
}

/** Maximum clock skew between two processes, or between one before and after a restart. */
const CLOCKS_DIFFER_MS = 600_000;
const MOST_TRIED = 1_000;

export function createSentRecords({
  clock,
  vault,
  me,
}: Pick<SessionContext, 'clock' | 'vault' | 'me'>): SentRecords {
  const tried = createBoundedCache<true>({ limit: MOST_TRIED });

  async function find(messageId: string): Promise<Outgoing | undefined> {
    const found = await vault().read('sent', [messageId]);
    // Written by `keep`.
    const record = found.get(messageId) as SentRecord | undefined;
    return record && { ...record, message: proto.Message.decode(record.bytes) };
  }

  /** The message was accepted well after this owner claimed the link, and this owner has not sent it. */
  function isNew(messageId: string, acceptedAt: number): boolean {
    const since = vault().openedAt + CLOCKS_DIFFER_MS;
    return acceptedAt > since && acceptedAt <= clock.now() && tried.get(messageId) === undefined;
  }

  return {
    find,
    async findBefore({ messageId, acceptedAt = 0 }) {
      const before = isNew(messageId, acceptedAt) ? undefined : await find(messageId);
      tried.set(messageId, true);
      return before;
    },
    keep(messageId, { message, ...outgoing }) {
      const record: SentRecord = { ...outgoing, bytes: proto.Message.encode(message).finish() };
      const { id, lid } = me();
      const { puts = [] } = toChange(secretOf(message, messageId, accountsOf(id, lid)));
      return vault().commitAhead({ puts: [{ kind: 'sent', id: messageId, value: record }, ...puts] });
    },
  };
}
