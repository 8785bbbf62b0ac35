import { type Parley, ParleyError, type Session } from '@parley/sdk';
import { CommandError, type Run } from '../command.ts';
import type { SESSION_DELETE, SESSION_LIST } from '../specs.ts';
import { asTable } from '../terminal.ts';
import { account } from './connect.ts';

export const listSessions: Run<typeof SESSION_LIST> = async ({ connection, terminal }) => {
  const { sessions } = await account(connection).sessions.list();
  const row = (each: Session) => [each.session_id, each.phone, each.status, isoTime(each.since_unix)];
  terminal.show({ sessions }, () => asTable(['session', 'number', 'status', 'since'], sessions.map(row)));
};

export const deleteSession: Run<typeof SESSION_DELETE> = async ({ args, connection, terminal }) => {
  const sessionId = sessionIdOf(args.session);
  await account(connection).sessions.delete(sessionId);
  terminal.show({ session_id: sessionId, deleted: true }, () => `${args.session} is logged out`);
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
