import type { Histories } from '#conversations';
import type { EventLog } from '#events';
import type { Clock, SealedBox } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';
import { OUTBOX_TOPIC } from '../accept/accept.ts';
import { type ChatOf, wantedEcho } from '../outbox/echo.ts';
import { findQueued } from '../outbox/outbox-queries.ts';
import { type OnAttempted, settlementOf } from '../outbox/outcome.ts';
import { settleMessage } from '../outbox/write-commands.ts';
import { noteReceipt, type ReceiptNote } from './write-commands.ts';

/** Called by the inbound room for each receipt. */
interface ReceiptRecorder {
  /**
   * The Idempotency-Key of the send; empty when there is nothing to publish: the message was not sent through the
   * gateway, or was reported as failed. Once it resolves, the `status` event of the message is committed, so that its
   * receipts can only follow it.
   */
  note(receipt: ReceiptNote, chatOf: ChatOf): Promise<string>;
}

interface ReceiptRecorderParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  readonly histories: Pick<Histories, 'of'>;
  readonly events: Pick<EventLog, 'prepare' | 'announce'>;
  readonly bus: Pick<Bus, 'publish'>;
  readonly onTried?: OnAttempted;
}

export function createReceiptRecorder({
  store,
  clock,
  sealedBox,
  histories,
  events,
  bus,
  onTried,
}: ReceiptRecorderParts): ReceiptRecorder {
  /**
   * Settles a message as sent: its receipt proves it, though the ack is late or lost. The first to settle it
   * publishes the event; the other finds it gone.
   */
  async function settleAsSent({ slotId, messageId, at }: ReceiptNote, chatOf: ChatOf): Promise<void> {
    const head = await findQueued(store, slotId, messageId);
    if (!head) return;
    // No later than the receipt, which the network may have held for a while.
    const now = Math.min(at, clock.now());
    const settlement = settlementOf({
      fence: 'proven',
      head,
      outcome: { kind: 'sent' },
      now,
      prepare: events.prepare,
      echo: await wantedEcho({ sealedBox, histories }, head, now, chatOf),
    });
    if (!(await store.run(settleMessage, settlement))) return;
    onTried?.('sent', undefined, (now - head.accepted_at) / 1_000);
    events.announce(settlement.events);
    bus.publish(OUTBOX_TOPIC, slotId);
  }

  return {
    async note(receipt, chatOf) {
      const noteNow = () => store.run(noteReceipt, { ...receipt, now: clock.now() });
      let noted = await noteNow();
      if (noted?.before === 'accepted') {
        await settleAsSent(receipt, chatOf);
        noted = await noteNow();
      }
      return noted === null || noted.before === 'failed' ? '' : noted.requestId;
    },
  };
}
