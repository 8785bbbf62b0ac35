import { DisconnectReason } from 'baileys';
import type { EndCause, OfflinePeriod, Refusal } from '../../port.ts';
import { codeOf, property } from '../errors.ts';

/** Meaning of a lost connection. */
export type Disconnect =
  | { readonly kind: 'ended'; readonly cause: EndCause; readonly detail: string }
  /** The network asks for it, for example after pairing: connect again at once. */
  | { readonly kind: 'restart' }
  | ({ readonly kind: 'lost' } & OfflinePeriod)
  | ({
      readonly kind: 'refused';
      readonly reason: Refusal['reason'];
      /** Duration as given by the network. */
      readonly forMs?: number;
      /** The network's number for what the phone number did. */
      readonly code?: number;
    } & OfflinePeriod);

/** Codes of the network without a name in the library. */
const TEMPORARILY_BANNED = 402;
const CLIENT_OUTDATED = 405;
const BANNED = 406;
const PASSKEY_REQUIRED = 428;
const CLIENT_REFUSED = 409;
const FORCED_LOGOUT = 516;
const BAD_CERTIFICATE = 400;

const CONNECTION_LOST = 'The connection to the network was lost.';

const LOGGED_OUT: Disconnect = {
  kind: 'ended',
  cause: 'logged_out',
  detail: 'The number was unlinked, on its phone or by the network.',
};
const ENDED_BY: ReadonlyMap<number, Disconnect> = new Map([
  [DisconnectReason.loggedOut, LOGGED_OUT],
  [FORCED_LOGOUT, LOGGED_OUT],
  [
    DisconnectReason.multideviceMismatch,
    {
      kind: 'ended',
      cause: 'logged_out',
      detail: 'The phone’s app does not know linked devices like this one.',
    },
  ],
  [
    DisconnectReason.forbidden,
    { kind: 'ended', cause: 'locked', detail: 'The network has locked the account of this number.' },
  ],
  [BANNED, { kind: 'ended', cause: 'banned', detail: 'The network has banned the account of this number.' }],
]);

/** The credentials are good, and the owner has to confirm the login. */
export const ASKS_FOR_PASSKEY = {
  kind: 'lost',
  reason: 'passkey_required',
  detail: 'The network asks for the passkey of this account before it lets the number in.',
} as const;

const REPLACED: Disconnect = {
  kind: 'ended',
  cause: 'replaced',
  detail: 'Another process uses the link of this number.',
};

/** Errors of the network's own servers; a retry is right. */
const UNAVAILABLE: ReadonlySet<number> = new Set([
  DisconnectReason.unavailableService,
  DisconnectReason.badSession,
]);

export function classifyDisconnect(error: unknown): Disconnect {
  const socketError = property(error, 'data');
  if (socketError instanceof Error) return lossBySocket(socketError);
  // The code beside it varies; the type does not.
  if (property(property(property(error, 'data'), 'attrs'), 'type') === 'replaced') return REPLACED;
  const code = codeOf(error);
  if (code === undefined) return lost('connection_lost', CONNECTION_LOST);
  if (code === DisconnectReason.connectionReplaced) return REPLACED;
  if (code === DisconnectReason.restartRequired) return { kind: 'restart' };
  if (UNAVAILABLE.has(code))
    return lost('network_unavailable', 'The network is not available at this moment.');
  return ENDED_BY.get(code) ?? refusalOf(code, error) ?? lossOf(code);
}

/** Only a `<failure>`, whose attributes the library passes on, is a refusal of the login. */
function refusalOf(code: number, error: unknown): Disconnect | undefined {
  const answer = property(error, 'data');
  if (property(answer, 'reason') === undefined) return undefined;
  switch (code) {
    case TEMPORARILY_BANNED: {
      const seconds = Number(property(answer, 'expire'));
      const deed = Number(property(answer, 'code'));
      return {
        kind: 'refused',
        reason: 'temporarily_banned',
        detail: banText(deed),
        ...(seconds > 0 && Number.isFinite(seconds)
          ? { forMs: Math.min(seconds, LONGEST_BAN_S) * 1_000 }
          : {}),
        ...(Number.isSafeInteger(deed) ? { code: deed } : {}),
      };
    }
    case CLIENT_OUTDATED:
      return {
        kind: 'refused',
        reason: 'client_outdated',
        detail: 'The network does not accept this version of the client any more.',
      };
    case PASSKEY_REQUIRED:
      return ASKS_FOR_PASSKEY;
    case CLIENT_REFUSED:
      return {
        kind: 'refused',
        reason: 'client_refused',
        detail: 'The network does not accept this client.',
      };
    default:
      return { kind: 'refused', reason: 'login_refused', detail: `The network refused the login (${code}).` };
  }
}

/** Upper bound for the end of a ban, ten years. */
const LONGEST_BAN_S = 10 * 365 * 86_400;

const BANS: ReadonlyMap<number, string> = new Map([
  [101, 'it wrote to too many people who do not have it in their address books'],
  [102, 'too many people have blocked it'],
  [103, 'it made too many groups with people who do not have it in their address books'],
  [104, 'it sent the same message to too many people'],
  [106, 'it sent too many messages to a broadcast list'],
]);

function banText(code: number): string {
  const because = BANS.get(code) ?? 'it may have broken the network’s terms';
  return `The network has banned this number for a time: ${because}.`;
}

function lossOf(code: number): Disconnect {
  return code === BAD_CERTIFICATE
    ? lost('network_untrusted', 'The server could not prove that it is the network.')
    : lost('connection_lost', CONNECTION_LOST);
}

function lost(reason: OfflinePeriod['reason'], detail: string): Disconnect {
  return { kind: 'lost', reason, detail };
}

/**
 * The library wraps the error of the socket in its own, and puts the HTTP status of a server in between (403,
 * 405…) where the network's codes are: such a status says nothing about the number.
 */
function lossBySocket(error: Error): Disconnect {
  return property(error, 'code') === 'proxy'
    ? lost('proxy_failed', 'The proxy of this number does not let it through.')
    : lost('connection_lost', CONNECTION_LOST);
}
