import type { LoginRefusal, World } from '@parley/sandbox/world';
import type { ConnectionState, Refusal } from '../../port.ts';

/** What the network said to a number that it does not let in. It outlives the driver in the world's vault. */
export type LastWord = Extract<ConnectionState, { kind: 'refused' | 'ended' }>;

export interface LastWords {
  recall(): LastWord | undefined;
  keep(refusal: LoginRefusal, now: number): LastWord;
  forget(): void;
}

const SCOPE = 'fake-last-words';
const HOUR_MS = 3_600_000;

const ENDED = { 401: 'logged_out', 403: 'locked', 406: 'banned', 411: 'logged_out' } as const;
const REFUSED: Readonly<Record<number, Refusal['reason']>> = {
  402: 'temporarily_banned',
  405: 'client_outdated',
  409: 'client_refused',
};

export function createLastWords({ vault }: Pick<World, 'vault'>, linkId: string): LastWords {
  return {
    recall() {
      const kept = vault.read(SCOPE, linkId);
      return kept && JSON.parse(Buffer.from(kept).toString());
    },
    keep(refusal, now) {
      const word = wordOf(refusal, now);
      vault.write(SCOPE, linkId, Buffer.from(JSON.stringify(word)));
      return word;
    },
    forget: () => vault.erase(SCOPE, linkId),
  };
}

function wordOf({ reason: code, code: deed, expireSeconds }: LoginRefusal, now: number): LastWord {
  const detail = `The network refused the login (${code}).`;
  const cause = Object.entries(ENDED).find(([each]) => Number(each) === code)?.[1];
  if (cause) return { kind: 'ended', cause, detail };
  const reason = REFUSED[code] ?? 'login_refused';
  const told = { kind: 'refused', reason, detail, ...(deed !== undefined && { code: deed }) } as const;
  if (expireSeconds === undefined) return { ...told, retryAt: now + HOUR_MS };
  const until = now + expireSeconds * 1_000;
  return { ...told, until, retryAt: until };
}
