import type { MailboxWriter } from '../devices/mailbox.ts';
import { type Actor, type Call, type CallState, WorldError } from '../types.ts';
import type { WorldContext } from '../world-context.ts';
import { type PhoneStore, personOf } from './phones.ts';
import type { Calls } from './types.ts';

export interface CallRegister extends Calls {
  close(): void;
}

interface CallRow {
  id: string;
  caller: string;
  callee: string;
  video: number;
  state: CallState;
  reason: string | null;
  started_at: number;
}

/** No phone of this world picks up: a call that is neither rejected nor hung up rings for as long as on a real network. */
const ringsMs = 60_000;

interface CallsNeeds {
  context: WorldContext;
  phones: PhoneStore;
  mailboxes: MailboxWriter;
  /** Whether a call to this person does not ring. */
  isBlocked(owner: string, phone: string): boolean;
}

export function createCalls({ context, phones, mailboxes, isBlocked }: CallsNeeds): CallRegister {
  const { db, clock, randomValues } = context;
  const timers = new Map<string, { cancel(): void }>();

  const toCall = (row: CallRow): Call => ({
    id: row.id,
    caller: phones.person(row.caller),
    callee: phones.person(row.callee),
    video: row.video === 1,
    state: row.state,
    reason: row.reason ?? undefined,
    startedAt: row.started_at,
  });

  /** A call between other people is invisible. */
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

  /** Notifies both sides, each with the other as the source, except the device that acted. */
  const notifyBoth = (call: Call, event: 'terminate' | 'reject', actor?: Actor): void => {
    const { id: callId, caller, callee, video, reason } = call;
    const at = clock.now();
    mailboxes.notify(caller.phone, { kind: 'call', callId, event, from: callee, video, reason, at }, actor);
    // Where it never rang, its end is not notified.
    if (isBlocked(callee.phone, caller.phone)) return;
    mailboxes.notify(callee.phone, { kind: 'call', callId, event, from: caller, video, reason, at }, actor);
  };

  const end = (call: Call, state: CallState, reason: string | undefined, actor?: Actor): Call => {
    const ended = { ...call, state, reason };
    db.run('UPDATE calls SET state = ?, reason = ? WHERE id = ?', state, reason ?? null, call.id);
    notifyBoth(ended, state === 'rejected' ? 'reject' : 'terminate', actor);
    return ended;
  };

  const giveUp = (callId: string): void => {
    timers.delete(callId);
    context.act(() => {
      const row = db.get<CallRow>(`SELECT * FROM calls WHERE id = ? AND state = 'ringing'`, callId);
      if (row) end(toCall(row), 'ended', 'timeout');
    });
  };

  const giveUpInTime = (callId: string, startedAt: number): void => {
    const left = Math.max(0, startedAt + ringsMs - clock.now());
    timers.set(
      callId,
      clock.after(left, () => context.runInBackground(() => giveUp(callId))),
    );
  };

  // Ends calls of a process that stopped: its timers are gone.
  for (const row of db.all<CallRow>(`SELECT * FROM calls WHERE state = 'ringing'`))
    giveUpInTime(row.id, row.started_at);

  return {
    offer: (actor, to, { video, callId = randomValues.hex(16) }) =>
      context.act(() => {
        const caller = phones.person(actor.phone);
        const callee = personOf(phones.require(to));
        if (callee.phone === caller.phone)
          throw new WorldError('bad_request', 'calling oneself is not possible');
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
          mailboxes.notify(callee.phone, {
            kind: 'call',
            callId,
            event: 'offer',
            from: caller,
            video,
            reason: undefined,
            at,
          });
        }
        giveUpInTime(callId, at);
        return { id: callId, caller, callee, video, state: 'ringing', reason: undefined, startedAt: at };
      }),
    terminate: (actor, callId, reason) =>
      context.act(() => end(ringing(actor, callId), 'ended', reason, actor)),
    reject: (actor, callId) =>
      context.act(() => {
        const call = ringing(actor, callId);
        if (call.callee.phone !== actor.phone) {
          throw new WorldError('forbidden', 'only the callee can reject a call');
        }
        return end(call, 'rejected', undefined, actor);
      }),
    of: (phone) =>
      db
        .all<CallRow>(
          'SELECT * FROM calls WHERE caller = ? UNION SELECT * FROM calls WHERE callee = ? ORDER BY started_at, id',
          phone,
          phone,
        )
        .map(toCall),
    close() {
      for (const timer of timers.values()) timer.cancel();
    },
  };
}
