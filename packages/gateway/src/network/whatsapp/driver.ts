import type { NetworkDriver, NetworkSession, PairingAttempt } from '../port.ts';
import { createDependencies, type WhatsAppDriverOptions } from './dependencies.ts';
import { installGuards } from './guards/index.ts';
import type { VersionFigures } from './link/client-version.ts';
import { startPairing } from './link/pairing.ts';
import { openSession } from './session.ts';
import { dropOldRecords } from './vault/index.ts';

export interface WhatsAppDriver extends NetworkDriver {
  /** Version of the web client that the driver announces, and since when it is known. */
  clientVersion(): VersionFigures;
}

/** Creates the production driver, on Baileys. */
export function createWhatsAppDriver(options: WhatsAppDriverOptions): WhatsAppDriver {
  installGuards();
  const dependencies = createDependencies(options);
  const { clock, log, vaults } = dependencies;
  const attempts = new Set<PairingAttempt>();
  const sessions = new Set<NetworkSession>();
  const sweeping = dropOldRecords({ links: vaults.links, clock, log });

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
      await sweeping.stop();
      dependencies.versions.stop();
      await Promise.all([...attempts].map((attempt) => attempt.cancel()));
      await Promise.all([...sessions].map((session) => session.close()));
      await dependencies.drift.stop();
      await dependencies.codecs.close();
    },
  };
}
