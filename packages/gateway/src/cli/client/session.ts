import {
  type Onboarding,
  type Parley,
  ParleyError,
  type Session,
  type SessionHealth,
  type SetPresencePolicyBody,
} from 'parley-sdk';
import { renderUnicodeCompact } from 'uqr';
import { CommandError, type Run } from '../command.ts';
import { jsonObject } from '../parse.ts';
import type { HEALTH, PACING, PAIR, SESSION_DELETE, SESSION_LIST, SESSION_PRESENCE } from '../specs.ts';
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
    reasonOf(each),
  ];
  terminal.show({ sessions }, () =>
    asTable(['session', 'number', 'status', 'since', 'why'], sessions.map(row)),
  );
};

function reasonOf({ reason, until_unix: until }: Session): string {
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
    for await (const state of pairing.follow(onboard_id, { signal })) printUpdate(state, terminal);
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
function printUpdate(state: Onboarding, terminal: Terminal): void {
  const { status, qr, code, passkey, session_id, error } = state;
  if (status === 'error') throw new CommandError(`the number was not linked: ${error ?? 'no reason given'}`);
  if (terminal.json || status === 'paired') {
    terminal.show(state, () => `Linked: ${session_id}`);
  } else if (passkey !== undefined) {
    terminal.picture(
      `This account is guarded by a passkey. Open this on a computer, with the phone beside it, or send it to the owner of the phone:\n\n${passkey.url}`,
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

export const showHealth: Run<typeof HEALTH> = async ({ args, connection, terminal }) => {
  const parley = account(connection);
  const health = await parley.sessions.getHealth(await chosenSession(parley, args.session));
  terminal.show(health, () => describe(health));
};

export const pacing: Run<typeof PACING> = async ({ args, options, connection, terminal }) => {
  const { sessions } = account(connection);
  const sessionId = sessionIdOf(args.session);
  const shown =
    options.set === undefined
      ? (await sessions.getHealth(sessionId)).pacing
      : await sessions.setPacing(sessionId, fieldsIn(options.set));
  terminal.show(shown, () =>
    asTable(
      ['', ''],
      Object.entries(shown).map(([name, value]) => [name, String(value)]),
    ),
  );
};

function fieldsIn(json: string): object {
  return jsonObject(json, '--set must be a JSON object like {"daily_new_chats": 40, "gap_max_seconds": 8}');
}

function describe({
  state,
  since_unix,
  until_unix,
  restriction,
  new_chats,
  last_day,
  advice,
  pacing,
}: SessionHealth) {
  const rows = [
    [
      'state',
      `${state} since ${isoTime(since_unix)}${until_unix === undefined ? '' : ` until ${isoTime(until_unix)}`}`,
    ],
    ...(restriction
      ? [['restriction', [restriction.kind, restriction.type, restriction.code].filter(Boolean).join(' ')]]
      : []),
    ...(new_chats ? [['new chats', `${new_chats.used} of ${new_chats.quota}`]] : []),
    ...(pacing.held_until_unix === undefined
      ? []
      : [['held back', `new chats until ${isoTime(pacing.held_until_unix)}: ${pacing.held_reason}`]]),
    ...Object.entries(last_day)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => [`today: ${name}`, String(count)]),
    ...advice.map(({ text }) => ['advice', text]),
  ];
  return asTable(['what', 'value'], rows);
}
