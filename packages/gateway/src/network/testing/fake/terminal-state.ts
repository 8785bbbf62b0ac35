import type { LoginRefusal, World } from '@parley/sandbox/world';
import type { ConnectionState, Refusal } from '../../port.ts';

/** The network's refusal of a number. It outlives the driver in the world's vault. */
export type TerminalState = Extract<ConnectionState, { kind: 'refused' | 'ended' }>;

export interface TerminalStates {
  recall(): TerminalState | undefined;
  keep(refusal: LoginRefusal, now: number): TerminalState;
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

export function createTerminalStates({ vault }: Pick<World, 'vault'>, linkId: string): TerminalStates {
  return {
    recall() {
      const kept = vault.read(SCOPE, linkId);
      return kept && JSON.parse(Buffer.from(kept).toString());
    },
    keep(refusal, now) {
      const word = stateOf(refusal, now);
      vault.write(SCOPE, linkId, Buffer.from(JSON.stringify(word)));
      return word;
    },
    forget: () => vault.erase(SCOPE, linkId),
  };
}

function stateOf({ reason: code, code: deed, expireSeconds }: LoginRefusal, now: number): TerminalState {
  const detail = `The network refused the login (${code}).`;
  const cause = Object.entries(ENDED).find(([each]) => Number(each) === code)?.[1];
  if (cause) return { kind: 'ended', cause, detail };
  const reason = REFUSED[code] ?? 'login_refused';
  const common = { kind: 'refused', reason, detail, ...(deed !== undefined && { code: deed }) } as const;
  if (expireSeconds === undefined) return { ...common, retryAt: now + HOUR_MS };
  const until = now + expireSeconds * 1_000;
  return { ...common, until, retryAt: until };
}
