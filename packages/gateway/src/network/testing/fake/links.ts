import type { SessionId, World } from '@parley/sandbox/world';

/** Which linked device each `linkId` stands for: all that this driver has of credentials. They outlive it in the world's vault. */
export interface Links {
  find(linkId: string): SessionId | undefined;
  keep(linkId: string, sessionId: SessionId): void;
  forget(linkId: string): void;
}

const SCOPE = 'fake-links';

export function createLinks({ vault }: Pick<World, 'vault'>): Links {
  return {
    find(linkId) {
      const sessionId = vault.read(SCOPE, linkId);
      return sessionId && Buffer.from(sessionId).toString();
    },
    keep: (linkId, sessionId) => vault.write(SCOPE, linkId, Buffer.from(sessionId)),
    forget: (linkId) => vault.erase(SCOPE, linkId),
  };
}
