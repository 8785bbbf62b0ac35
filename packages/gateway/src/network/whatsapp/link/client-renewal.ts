import type { WASocket, WAVersion } from 'baileys';
import { type Clock, HOUR_MS, type Random, type Timer } from '#kernel';
import { type ClientVersions, followExpiry, isSame } from './client-version.ts';

/** Moves one number to newer versions of the web client. */
export interface ClientRenewal {
  /** A connection announces this version. */
  attach(sock: WASocket, announced: WAVersion): void;
  /** The network has refused the announced version. */
  refused(): Promise<void>;
  stop(): void;
}

/** The numbers of a process go over to a newer client version within this time, one after the other. */
const RENEWED_WITHIN_MS = HOUR_MS;

export function createClientRenewal({
  clock,
  random,
  versions,
  onChanged,
  reconnect,
}: {
  clock: Clock;
  random: Random;
  versions: ClientVersions;
  /** Another version may be accepted where the last one was refused. */
  onChanged: () => void;
  reconnect: () => void;
}): ClientRenewal {
  let shown = versions.current();
  let renewal: Timer | undefined;
  const stopFollowing = versions.onChange(renew);

  /** Goes over to the newer version while the network still accepts the shown one. */
  function renew(): void {
    onChanged();
    if (renewal || !versions.isExpiring(shown) || isSame(shown, versions.current())) return;
    renewal = clock.after(random.fraction() * RENEWED_WITHIN_MS, () => {
      renewal = undefined;
      if (!isSame(shown, versions.current())) reconnect();
    });
  }

  return {
    attach(sock, announced) {
      shown = announced;
      followExpiry(sock, (at) => {
        versions.expires(announced, at);
        renew();
      });
    },
    async refused() {
      if (await versions.refused(shown)) onChanged();
    },
    stop() {
      stopFollowing();
      renewal?.cancel();
    },
  };
}
