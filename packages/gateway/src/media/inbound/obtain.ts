import type { OwnedNumber, Soon } from '#http';
import { type Clock, Fault, fault, faultBecause } from '#kernel';
import { NetworkError } from '#network';
import type { CallSession } from '#sessions';
import type { Media, MediaLibrary } from '../library.ts';
import type { FetchAction } from './fetch.ts';

/** Sees that the bytes of a file are here, from the network if need be. Rejects with the fault to tell. */
export type ObtainMedia = (media: Media, signal?: AbortSignal) => Promise<Media>;

const ASK_AGAIN_MS = 500;

export function createObtainer({
  library,
  callSession,
  action,
  ownedNumber,
  machineClock,
}: {
  library: Pick<MediaLibrary, 'find' | 'hold'>;
  callSession: CallSession;
  action: FetchAction;
  ownedNumber: (accountId: string, phone: string) => Soon<OwnedNumber | undefined>;
  machineClock: Pick<Clock, 'sleep'>;
}): ObtainMedia {
  async function fetch(number: OwnedNumber, mediaId: string, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      if (await isHere(number, mediaId)) return;
      await machineClock.sleep(ASK_AGAIN_MS);
    }
    throw fault('shutting_down');
  }

  async function isHere(number: OwnedNumber, mediaId: string): Promise<boolean> {
    try {
      return (await callSession(number, action, { mediaId })) === 'here';
    } catch (error) {
      // Its turn comes: what runs for the number now ends within seconds.
      if (error instanceof Fault && error.code === 'too_many_actions') return false;
      throw inPublicWords(error);
    }
  }

  return async (media, signal) => {
    const { id, accountId, phone, arrival } = media;
    // What was uploaded is here, or was lost.
    if (!arrival || (await library.hold(media))) return media;
    const number = phone === null ? undefined : await ownedNumber(accountId, phone);
    if (!number || number.slotId !== arrival.slotId) throw fault('media_gone');
    await fetch(number, id, signal);
    const fetched = await library.find(accountId, id);
    if (!fetched) throw fault('media_not_found');
    return fetched;
  };
}

function inPublicWords(error: unknown): unknown {
  if (error instanceof Fault && error.code === 'session_not_hosted')
    return faultBecause(error, 'media_offline');
  if (!(error instanceof NetworkError)) return error;
  return faultBecause(error, error.kind === 'permanent' ? 'media_damaged' : 'media_gone');
}
