import type { QuarantineRetry } from '@parley/contract';
import { changeInTurn, record } from '#accounts';
import { type Clock, fault, type SealedBox } from '#kernel';
import { NetworkError, type NetworkEvent } from '#network';
import { isPassing, type Store } from '#store';
import { contextOfQuarantined, reasonOf } from './quarantine.ts';
import type { ListeningSession, NetworkEventSink } from './sink.ts';
import { deleteQuarantined, findQuarantined, noteReason } from './store.ts';

export interface RetryParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly sealedBox: Pick<SealedBox, 'open'>;
  /** Rejects with what stands against an event, and puts nothing aside. */
  readonly tell: NetworkEventSink;
}

const NOT_LINKED = 'the number is not linked any more';

/** No connection is at hand here: a file that came with a message is fetched when it is asked for. */
const elsewhere: ListeningSession['session'] = {
  download: () => Promise.reject(new Error('there is no connection here')),
  chatOf: async (jid) => jid,
  groups: { detail: () => Promise.reject(new NetworkError('offline', 'there is no connection here')) },
};

/**
 * Tries once more what could not be stored. Whoever dies after it was stored leaves the entry behind; its event keeps its name, so that
 * to try again tells nothing twice while the log has it.
 */
export async function retryQuarantined(parts: RetryParts, id: string): Promise<QuarantineRetry> {
  const { store, clock } = parts;
  const kept = await findQuarantined(store, id);
  if (!kept) throw fault('quarantined_not_found');
  const reason = await failureOf(parts, id, kept);
  await changeInTurn(store, async (trx) => {
    if (reason === null) {
      // Somebody else was faster, and has noted it.
      if ((await deleteQuarantined(trx, id)) === undefined) return;
    } else await noteReason(trx, id, reason);
    const action = reason === null ? 'quarantine.stored' : 'quarantine.retried';
    await record(trx, clock.now(), { actor: 'operator', accountId: kept.account_id, action, subject: id });
  });
  return { stored: reason === null, reason };
}

type Kept = NonNullable<Awaited<ReturnType<typeof findQuarantined>>>;

async function failureOf(
  { sealedBox, tell }: RetryParts,
  id: string,
  { account_id: accountId, slot_id: slotId, session_id: sessionId, phone, sealed }: Kept,
): Promise<string | null> {
  if (sessionId === null || phone === null) return NOT_LINKED;
  try {
    const content = sealedBox.open(sealed, contextOfQuarantined(id));
    const event = JSON.parse(Buffer.from(content).toString()) as NetworkEvent;
    await tell({ number: { accountId, slotId, phone }, sessionId, session: elsewhere }, [event]);
    return null;
  } catch (failure) {
    if (isPassing(failure)) throw failure;
    return reasonOf(failure);
  }
}
