import type { SessionHealth } from '@parley/sdk';
import type { Run } from '../command.ts';
import type { HEALTH, PACING } from '../specs.ts';
import { asTable } from '../terminal.ts';
import { account } from './connect.ts';
import { jsonObject } from './json-object.ts';
import { chosenSession, isoTime, sessionIdOf } from './session.ts';

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
