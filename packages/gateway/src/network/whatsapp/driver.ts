import type { Timer } from '#kernel';
import type { NetworkDriver, NetworkSession, PairingAttempt } from '../port.ts';
import { createDependencies, type WhatsAppDriverOptions } from './dependencies.ts';
import { installGuards } from './guards/index.ts';
import type { VersionFigures } from './link/client-version.ts';
import { startPairing } from './link/pairing.ts';
import { openSession } from './session.ts';

const HOUR_MS = 3_600_000;
/** A copy of something taken longer ago than this does not come again. */
const TRACES_KEPT_MS = 7 * 24 * HOUR_MS;
const SWEPT_AT_ONCE = 1_000;

export interface WhatsAppDriver extends NetworkDriver {
  /** As which version of the web client it appears, and since when that is known. */
  clientVersion(): VersionFigures;
}

/** The production driver, on Baileys. */
export function createWhatsAppDriver(options: WhatsAppDriverOptions): WhatsAppDriver {
  installGuards();
  const dependencies = createDependencies(options);
  const { clock, log, vaults } = dependencies;
  const attempts = new Set<PairingAttempt>();
  const sessions = new Set<NetworkSession>();
  let sweep: Timer | undefined;

  function sweepHourly(): void {
    sweep = clock.after(HOUR_MS, () => {
      const now = clock.now();
      vaults.links
        .sweep({ now, takenBefore: now - TRACES_KEPT_MS, limit: SWEPT_AT_ONCE })
        .catch((error: unknown) =>
          log.warn({ error: String(error) }, 'old records of links could not be dropped'),
        )
        .finally(() => {
          if (sweep) sweepHourly();
        });
    });
  }

  sweepHourly();

  return {
    pair(request) {
      const attempt = startPairing(dependencies, {
        ...request,
        onProgress(progress) {
          if (progress.kind === 'paired' || progress.kind === 'failed') attempts.delete(tracked);
          request.onProgress(progress);
        },
      });
      const tracked: PairingAttempt = {
        ...attempt,
        cancel() {
          attempts.delete(tracked);
          return attempt.cancel();
        },
      };
      attempts.add(tracked);
      return tracked;
    },
    open(request) {
      const session = openSession(dependencies, request, () => sessions.delete(session));
      sessions.add(session);
      return session;
    },
    clientVersion: dependencies.versions.figures,
    forget: (linkId) => vaults.links.forget(linkId),
    async close() {
      sweep?.cancel();
      sweep = undefined;
      dependencies.versions.stop();
      await Promise.all([...attempts].map((attempt) => attempt.cancel()));
      await Promise.all([...sessions].map((session) => session.close()));
    },
  };
}
