import type { BinaryNode, WASocket } from 'baileys';
import { waitAtMost } from '#kernel';
import type { Jid } from '../../content.ts';
import type { CallOperations } from '../../operations.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { boundedId, boundedName, boundedSeconds, lidAmong, phoneAmong } from '../convert/index.ts';
import { unlessCutOff } from '../errors.ts';
import { personAt } from '../receive/people.ts';
import type { SessionContext } from '../session-context.ts';

/** The caller rings meanwhile; the network answers a rejection at once or never. */
const REJECTION_PATIENCE_MS = 5_000;
const CALLS_REMEMBERED = 100;

const OFFERS: ReadonlySet<string> = new Set(['offer', 'offer_notice']);
const ENDINGS: ReadonlySet<string> = new Set(['terminate', 'reject', 'accept', 'timeout']);

export interface Calls extends CallOperations {
  attach(sock: WASocket): void;
}

/** Data of a call from its offer; its end carries less. */
interface Ringing {
  readonly from: Jid;
  readonly video: boolean;
  readonly rejected: boolean;
}

/** Incoming calls: emits their start and end, and rejects them where the number's owner has set that. */
export function createCalls(context: SessionContext): Calls {
  const ringing = createBoundedCache<Ringing>({ limit: CALLS_REMEMBERED });
  let autoReject = false;

  async function reject(sock: WASocket, callId: string, creator: string): Promise<boolean> {
    try {
      return await waitAtMost(context.clock, REJECTION_PATIENCE_MS, sock.rejectCall(callId, creator));
    } catch (error) {
      unlessCutOff('a call could not be rejected')(error);
      return false;
    }
  }

  function emitCall(
    event: 'offer' | 'terminate',
    callId: string,
    t: string | undefined,
    call: Ringing,
    reason?: string,
  ): void {
    context.emit({
      kind: 'call',
      id: `call/${boundedId(callId)}/${event}`,
      timestamp: boundedSeconds(t) || Math.floor(context.clock.now() / 1_000),
      callId: boundedId(callId),
      from: call.from,
      event,
      video: call.video,
      ...(reason ? { reason: boundedName(reason) } : {}),
      rejected: call.rejected,
    });
  }

  async function handleCall(sock: WASocket, { attrs, content }: BinaryNode): Promise<void> {
    const [signal] = Array.isArray(content) ? content : [];
    const callId = signal?.attrs['call-id'];
    if (!signal || !callId) return;
    const creator = signal.attrs['call-creator'] ?? attrs.from ?? '';
    const phone = phoneAmong(signal.attrs.caller_pn, creator);
    const from = await personAt(context.vault(), phone ?? creator, phone && lidAmong(creator));
    if (OFFERS.has(signal.tag)) {
      const video = Array.isArray(signal.content) && signal.content.some(({ tag }) => tag === 'video');
      const rejected = autoReject && (await reject(sock, callId, creator));
      ringing.set(callId, { from, video, rejected });
      emitCall('offer', callId, attrs.t, { from, video, rejected });
    } else if (ENDINGS.has(signal.tag)) {
      const known = ringing.get(callId) ?? { from, video: false, rejected: false };
      ringing.delete(callId);
      emitCall('terminate', callId, attrs.t, known, signal.attrs.reason);
    }
  }

  return {
    attach(sock) {
      sock.ws.on('CB:call', (node: BinaryNode) => {
        handleCall(sock, node).catch(unlessCutOff('a call notification could not be read'));
      });
    },
    setAutoReject(enabled) {
      autoReject = enabled;
    },
  };
}
