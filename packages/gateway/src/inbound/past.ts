import type { EventOf } from '@parley/contract';
import type { Histories, NumberKeeper } from '#conversations';
import type { NewEvent } from '#events';
import type { InboundWriter } from '#health';
import type { Clock } from '#kernel';
import type { PastHistory, PastMessage, PastPart, PastTaker } from '#network';
import { isPassing } from '#platform/store';
import { mediaWithoutFile } from './media.ts';
import { messageEvent } from './public-events.ts';
import type { ListeningSession } from './sink.ts';

/** Returns the taker of a number's past; undefined unless the number keeps its conversations. */
export type PastSink = (
  session: Pick<ListeningSession, 'number' | 'sessionId'>,
  history: PastHistory,
) => PastTaker | undefined;

interface Counts {
  readonly chats: number;
  readonly messages: number;
}

type Entries = ReturnType<NumberKeeper['message']>;

/** Messages of a part between two progress events. */
const PROGRESS_EVERY = 5_000;

/**
 * Keeps the history from before the number was linked. Its messages are no events; its progress is one. The key of a progress
 * event is the part and the place in it, so that a part repeated after a crash publishes nothing twice.
 */
export function createPastSink({
  log,
  histories,
  clock,
  warn,
}: {
  log: InboundWriter;
  histories: Pick<Histories, 'of'>;
  clock: Pick<Clock, 'now'>;
  warn: (details: object, message: string) => void;
}): PastSink {
  return ({ number: { accountId, slotId }, sessionId }, history) => {
    const keeper = histories.of(slotId);
    if (!keeper) return undefined;
    const { past } = keeper;
    let counts: Counts = { chats: 0, messages: 0 };

    const entriesOf = ({ event, reached }: PastMessage): Entries => {
      if (event.content.kind === 'other' && event.content.changesAnothers) return [];
      const file = 'media' in event.content ? event.content.media : undefined;
      return past.message(messageEvent(sessionId, event, file && mediaWithoutFile(file)), reached);
    };

    const news = (event: EventOf<'history'>['event'], place: number | string, so: Counts): NewEvent => ({
      accountId,
      slotId,
      key: `history/${history.id}/${place}`,
      event: {
        kind: 'history',
        session_id: sessionId,
        event,
        sync_type: history.type,
        ...(history.progress !== undefined && { progress: history.progress }),
        ...so,
        timestamp_unix: Math.floor(clock.now() / 1_000),
      },
    });

    const progressOf = (state: 'running' | 'done' | 'failed', so: Counts): Entries =>
      past.progress({ importId: history.id, state, progress: history.progress ?? null, ...so });

    /** Skips a message that cannot be stored although the database works: retries would block the rest forever. */
    async function keep(messages: readonly PastMessage[], also: Entries): Promise<void> {
      try {
        await log.emit([], [], [...messages.flatMap(entriesOf), ...also]);
      } catch (failure) {
        if (isPassing(failure) || messages.length === 0) throw failure;
        if (messages.length === 1) return warn({ slotId }, 'a message of the past cannot be kept');
        const middle = Math.ceil(messages.length / 2);
        await keep(messages.slice(0, middle), []);
        await keep(messages.slice(middle), also);
      }
    }

    return {
      async take({ messages, receipts, chats }: PastPart) {
        const so = { chats: counts.chats + chats.length, messages: counts.messages + messages.length };
        const also = [
          ...receipts.flatMap((receipt) => keeper.receipt(receipt)),
          ...chats.flatMap((chat) => past.chat(chat)),
          ...progressOf('running', so),
        ];
        await keep(messages, also);
        const reached = Math.floor(so.messages / PROGRESS_EVERY);
        const isDue = reached > Math.floor(counts.messages / PROGRESS_EVERY);
        counts = so;
        if (isDue) await log.emit([news('progress', reached, so)], [], []);
      },
      end: (outcome) => log.emit([news(outcome, outcome, counts)], [], progressOf(outcome, counts)),
    };
  };
}
