import type { EventOf } from '@parley/contract';
import type { NewEvent } from '#event-log';
import type { InboundTeller } from '#health';
import type { Histories, NumberKeeper } from '#history';
import type { Clock } from '#kernel';
import type { PastHistory, PastMessage, PastPart, PastTaker } from '#network';
import { isPassing } from '#store';
import { mediaWithoutFile } from './media.ts';
import { messageEvent } from './public-events.ts';
import type { ListeningSession } from './sink.ts';

/** Who takes the past of a number: nobody, unless it keeps its conversations. */
export type PastSink = (
  session: Pick<ListeningSession, 'number' | 'sessionId'>,
  history: PastHistory,
) => PastTaker | undefined;

interface Counts {
  readonly chats: number;
  readonly messages: number;
}

type Entries = ReturnType<NumberKeeper['message']>;

/** After so many messages of a part it is told how far it has come. */
const TOLD_EVERY = 5_000;

/**
 * Keeps what the phone tells of the time before the number was linked. None of it is an event; how far it has come is one, each named by
 * the part and its place in it, so that a part which is begun again after a crash tells nothing twice.
 */
export function createPastSink({
  log,
  histories,
  clock,
  warn,
}: {
  log: InboundTeller;
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
      if (event.content.kind === 'other' && event.content.revokesAnothers) return [];
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

    /** What cannot be stored although the database works would be told for ever, and hold up the rest. */
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
        const reached = Math.floor(so.messages / TOLD_EVERY);
        const isTold = reached > Math.floor(counts.messages / TOLD_EVERY);
        counts = so;
        if (isTold) await log.emit([news('progress', reached, so)], [], []);
      },
      end: (outcome) => log.emit([news(outcome, outcome, counts)], [], progressOf(outcome, counts)),
    };
  };
}
