import {
  type Onboarding,
  type Parley,
  ParleyError,
  type Session,
  type SetPresencePolicyBody,
} from '@parley/sdk';
import { renderUnicodeCompact } from 'uqr';
import { CommandError, type Run } from '../command.ts';
import type { PAIR, SESSION_DELETE, SESSION_LIST, SESSION_PRESENCE } from '../specs.ts';
import { asTable, type Terminal } from '../terminal.ts';
import { account, operatorIfAny } from './connect.ts';
import { slotOf } from './operator.ts';

export const listSessions: Run<typeof SESSION_LIST> = async ({ connection, terminal }) => {
  const { sessions } = await account(connection).sessions.list();
  const row = (each: Session) => [
    each.session_id,
    each.phone,
    each.status,
    isoTime(each.since_unix),
    why(each),
  ];
  terminal.show({ sessions }, () =>
    asTable(['session', 'number', 'status', 'since', 'why'], sessions.map(row)),
  );
};

function why({ reason, until_unix: until }: Session): string {
  if (reason === undefined) return '';
  return until === undefined ? reason : `${reason} until ${isoTime(until)}`;
}

export const deleteSession: Run<typeof SESSION_DELETE> = async ({ args, connection, terminal }) => {
  const sessionId = sessionIdOf(args.session);
  await account(connection).sessions.delete(sessionId);
  terminal.show({ session_id: sessionId, deleted: true }, () => `${args.session} is logged out`);
};

export const setPresence: Run<typeof SESSION_PRESENCE> = async ({ args, connection, terminal }) => {
  const policy = args.policy as SetPresencePolicyBody['policy'];
  const setting = await account(connection).sessions.setPresencePolicy(sessionIdOf(args.session), { policy });
  terminal.show(setting, () => `${args.session} is ${setting.presence_policy} from now on`);
};

/** The session that a command acts as: the one that was named, or the only one there is. */
export async function chosenSession(parley: Parley, named: string | undefined): Promise<string> {
  if (named !== undefined) return sessionIdOf(named);
  const { sessions } = await parley.sessions.list().catch((error: unknown) => {
    if (!(error instanceof ParleyError) || error.code !== 'permission_missing') throw error;
    throw new CommandError('this key may not list sessions; pass --from with the number to act as');
  });
  const [only, ...others] = sessions;
  if (!only) throw new CommandError('no number is linked yet; parley pair does that');
  if (others.length === 0) return only.session_id;
  throw new CommandError(`pass --from with one of ${sessions.map(({ phone }) => phone).join(', ')}`);
}

/** A number stands for its session. */
export function sessionIdOf(named: string): string {
  return /^\+?\d+$/.test(named) ? `${named.replace('+', '')}@s.whatsapp.net` : named;
}

export function isoTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1_000).toISOString().replace('.000', '');
}

export const pair: Run<typeof PAIR> = async ({ args, options, connection, terminal }) => {
  const { pairing } = account(connection);
  const slot_id = await deviceOf(args.device, operatorIfAny(connection));
  const { onboard_id } = options.code
    ? await pairing.startCode({ slot_id })
    : await pairing.startQr({ slot_id });
  terminal.note('Asking the network …');
  const { signal } = terminal;
  try {
    for await (const state of pairing.follow(onboard_id, { signal })) tell(state, terminal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandError('stopped before the number was linked');
  }
};

async function deviceOf(device: string, operator: ReturnType<typeof operatorIfAny>): Promise<string> {
  if (operator) return slotOf(device, operator);
  if (!/^\+?\d+$/.test(device)) return device;
  throw new CommandError(
    'a device is found by its number only with the operator token; pass its id (slot_…) instead',
  );
}

/** Machines get each state as it comes; people a picture of it. */
function tell(state: Onboarding, terminal: Terminal): void {
  const { status, qr, code, passkey, session_id, error } = state;
  if (status === 'error') throw new CommandError(`the number was not linked: ${error ?? 'no reason given'}`);
  if (terminal.json || status === 'paired') {
    terminal.show(state, () => `Linked: ${session_id}`);
  } else if (passkey !== undefined) {
    terminal.picture(
      `This account is guarded by a passkey. Open this on a computer, with the phone beside it, or send it to whoever holds the phone:\n\n${passkey.url}`,
    );
  } else if (status === 'confirm') {
    terminal.picture(`${code}\nThe phone must show the same. Say so on the page that was opened.`);
  } else if (qr !== undefined) {
    terminal.picture(
      `${renderUnicodeCompact(qr, { border: 2 })}\nOn the phone: Linked devices, Link a device, and scan this.`,
    );
  } else if (code !== undefined) {
    terminal.picture(
      `${code}\nOn the phone: Linked devices, Link a device, Link with phone number instead, and type this.`,
    );
  }
}
