import { type BinaryNode, extractE2ESessionFromRetryReceipt, jidDecode, type WASocket } from 'baileys';
import { createKeyedQueue, growingPause } from '#kernel';
import { createBoundedCache } from '../bounded-cache.ts';
import { isGroup } from '../convert/index.ts';
import { unlessCutOff, withoutWords } from '../errors.ts';
import { ask, type SessionContext } from '../session-context.ts';
import { forgetSenderKeyRecipients } from './devices.ts';
import type { Sender } from './sender.ts';

/**
 * Answers retry receipts. A device that could not read a message asks for it again, and the network keeps the
 * request until it is acknowledged. Here the acknowledgement follows when the network has accepted the message
 * again, across any number of crashes; sent messages are stored for a week. The library itself would acknowledge
 * a request that it failed to fulfil, count each one twice, and drop the marks of special messages.
 */
interface RetryReceipts {
  /** Installs a handler before the library's handler of receipts. Call it before that of the journal is installed. */
  attach(sock: WASocket): void;
  /** Called when the connection opens: early requests can be answered. */
  resume(sock: WASocket): void;
}

type Handler = (node: BinaryNode) => unknown;

interface Request {
  readonly node: BinaryNode;
  readonly messageId: string;
  /** The device that could not read it. */
  readonly device: string;
  readonly count: number;
}

/** The limit of another client of the network per message and device. */
const MOST_ANSWERS = 10;
const MOST_REMEMBERED = 1_000;
/** Until then a person sees “waiting”, and after it until the next connection. */
const MOST_ATTEMPTS = 6;
const FAILED = { firstMs: 1_000, longestMs: 10_000, jitter: 0.2 };
/** Requests within this time were sent through one session, and need one new session. */
const NEW_SESSION_MS = 10_000;

export function createRetryReceipts(context: SessionContext, sender: Sender): RetryReceipts {
  const answers = createBoundedCache<number>({ limit: MOST_REMEMBERED });
  const renewals = createBoundedCache<number>({ limit: MOST_REMEMBERED });
  const queued = createKeyedQueue();
  /** Requests that arrive while the connection is being made. */
  let early: Request[] | undefined;

  async function renewSession(sock: WASocket, { node, device, count }: Request): Promise<void> {
    const session = extractE2ESessionFromRetryReceipt(node);
    if (session) return sock.signalRepository.injectE2ESession({ jid: device, session });
    const renewedAt = renewals.get(device) ?? Number.NEGATIVE_INFINITY;
    if (count === 1 && context.clock.now() - renewedAt < NEW_SESSION_MS) return;
    await sock.assertSessions([device], true);
    renewals.set(device, context.clock.now());
  }

  async function answer(sock: WASocket, request: Request): Promise<void> {
    const { messageId, device, count } = request;
    const sent = await sender.sent({ id: messageId });
    const before = answers.get(`${messageId} ${device}`) ?? 0;
    if (!sent || before >= MOST_ANSWERS) return;
    answers.set(`${messageId} ${device}`, before + 1);
    await renewSession(sock, request);
    if (isGroup(sent.to)) await forgetSenderKeyRecipients(sock, sent.to, context.me().id);
    // A phone may be a new one, with other linked devices: the message goes to all of them.
    const isPhone = !jidDecode(device)?.device;
    await sender.sendAgain(sock, messageId, isPhone ? { anew: true } : { device: { jid: device, count } });
  }

  /** A request that could not be answered is not acknowledged: the network repeats it on the next connection. */
  async function fulfil(sock: WASocket, request: Request): Promise<void> {
    let last: unknown;
    for (let failures = 1; failures <= MOST_ATTEMPTS; failures++) {
      try {
        await ask(context, () => answer(sock, request));
        return await sock.sendMessageAck(request.node);
      } catch (error) {
        last = error;
        const { lost } = context.connection();
        await context.clock.sleep(growingPause(FAILED, failures, context.random), lost);
      }
    }
    context.log.warn(
      { linkId: context.linkId, ...withoutWords(last) },
      'a message could not be sent again to a device that asked for it',
    );
  }

  /** Runs beside the receipts that follow, which need not wait for it. */
  function take(sock: WASocket, request: Request): void {
    // It fails with the connection, and comes again on the next.
    queued('requests', () => fulfil(sock, request)).catch(
      unlessCutOff('a request to send a message again could not be fulfilled'),
    );
  }

  return {
    resume(sock) {
      for (const request of early ?? []) take(sock, request);
      early = undefined;
    },
    attach(sock) {
      early = [];
      const handlers = sock.ws.listeners('CB:receipt') as Handler[];
      sock.ws.removeAllListeners('CB:receipt');
      // The journal, which is installed before this handler, awaits the result.
      sock.ws.on('CB:receipt', (node: BinaryNode): unknown => {
        const request = readRequest(node);
        if (!request) return Promise.all(handlers.map((handle) => handle(node)));
        if (early) early.push(request);
        else take(sock, request);
        return undefined;
      });
    },
  };
}

function readRequest(node: BinaryNode): Request | undefined {
  const { id, from, participant, type } = node.attrs;
  const device = participant ?? from;
  if (type !== 'retry' || !id || !device || !Array.isArray(node.content)) return undefined;
  const retry = node.content.find(({ tag }) => tag === 'retry');
  return retry && { node, messageId: id, device, count: Number(retry.attrs.count) || 1 };
}
