import type { Ground } from './ground.ts';
import type { PostOffice } from './mailbox.ts';
import { type PhoneBook, personOf } from './phones.ts';
import { type Actor, type Call, type CallState, WorldError } from './types.ts';
import type { Calls } from './world.ts';

interface CallRow {
  id: string;
  caller: string;
  callee: string;
  video: number;
  state: CallState;
  reason: string | null;
  started_at: number;
}

interface CallsNeeds {
  ground: Ground;
  phones: PhoneBook;
  post: PostOffice;
  isBlocked(owner: string, phone: string): boolean;
}

export function createCalls({ ground, phones, post, isBlocked }: CallsNeeds): Calls {
  const { db, clock, chance } = ground;

  const toCall = (row: CallRow): Call => ({
    id: row.id,
    caller: phones.person(row.caller),
    callee: phones.person(row.callee),
    video: row.video === 1,
    state: row.state,
    reason: row.reason ?? undefined,
    startedAt: row.started_at,
  });

  /** A call between others does not exist for anybody else. */
  const ringing = (actor: Actor, callId: string): Call => {
    const row = db.get<CallRow>(
      'SELECT * FROM calls WHERE id = ? AND (caller = ? OR callee = ?)',
      callId,
      actor.phone,
      actor.phone,
    );
    if (!row) throw new WorldError('not_found', `there is no call ${callId}`);
    if (row.state !== 'ringing') throw new WorldError('gone', `call ${callId} is over`);
    return toCall(row);
  };

  /** Both sides hear of it, each with the other as its source; the device that did it knows already. */
  const tellBoth = (call: Call, event: 'terminate' | 'reject', actor: Actor): void => {
    for (const [listener, other] of [
      [call.callee, call.caller],
      [call.caller, call.callee],
    ] as const) {
      const { id: callId, video, reason } = call;
      post.tell(
        listener.phone,
        { kind: 'call', callId, event, from: other, video, reason, at: clock.now() },
        actor,
      );
    }
  };

  const end = (actor: Actor, callId: string, state: CallState, reason: string | undefined): Call => {
    const call = { ...ringing(actor, callId), state, reason };
    db.run('UPDATE calls SET state = ?, reason = ? WHERE id = ?', state, reason ?? null, callId);
    tellBoth(call, state === 'rejected' ? 'reject' : 'terminate', actor);
    return call;
  };

  return {
    offer: (actor, to, { video, callId = chance.hex(16) }) =>
      ground.act(() => {
        const caller = phones.person(actor.phone);
        const callee = personOf(phones.require(to));
        if (callee.phone === caller.phone) throw new WorldError('bad_request', 'nobody can call themselves');
        if (db.get('SELECT 1 FROM calls WHERE id = ?', callId)) {
          throw new WorldError('conflict', `call ${callId} exists already`);
        }
        const at = clock.now();
        db.run(
          `INSERT INTO calls (id, caller, callee, video, state, started_at) VALUES (?, ?, ?, ?, 'ringing', ?)`,
          callId,
          caller.phone,
          callee.phone,
          Number(video),
          at,
        );
        if (!isBlocked(callee.phone, caller.phone)) {
          post.tell(callee.phone, {
            kind: 'call',
            callId,
            event: 'offer',
            from: caller,
            video,
            reason: undefined,
            at,
          });
        }
        return { id: callId, caller, callee, video, state: 'ringing', reason: undefined, startedAt: at };
      }),
    terminate: (actor, callId, reason) => ground.act(() => end(actor, callId, 'ended', reason)),
    reject: (actor, callId) =>
      ground.act(() => {
        if (ringing(actor, callId).callee.phone !== actor.phone) {
          throw new WorldError('forbidden', 'only the one who is called can reject a call');
        }
        return end(actor, callId, 'rejected', undefined);
      }),
    of: (phone) =>
      db
        .all<CallRow>(
          'SELECT * FROM calls WHERE caller = ? UNION SELECT * FROM calls WHERE callee = ? ORDER BY started_at, id',
          phone,
          phone,
        )
        .map(toCall),
  };
}
