import { type MessageRelayOptions, proto, type WAMessageKey, type WASocket } from 'baileys';
import { isAboutAnotherMessage, type Jid, type OutboundMessage } from '../../content.ts';
import { NetworkError } from '../../errors.ts';
import { accountsOf, isGroup, isLid, isPhone, STATUS_BROADCAST } from '../convert/index.ts';
import { refusal, toNetworkError } from '../errors.ts';
import { findDevices } from '../link/queries.ts';
import { pollSecretOf } from '../receive/polls.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { KeyBatch } from '../vault/index.ts';
import type { Ack, Acks } from './acks.ts';
import { type Outgoing, prepare } from './outgoing.ts';

export interface Sender {
  send(message: OutboundMessage): Promise<void>;
  /** What was sent under this id, for devices that could not read it; known for a week. */
  sent(key: WAMessageKey): Promise<Outgoing | undefined>;
  /** Once more, to the devices named. */
  sendAgain(sock: WASocket, messageId: string, whom: Whom): Promise<void>;
}

/** Whom the library sends to, where not to everybody it knows of. */
type Whom = Pick<MessageRelayOptions, 'participant' | 'useUserDevicesCache'>;

interface SenderOptions {
  readonly context: SessionContext;
  readonly acks: Acks;
  /** Whether the network knows this number. */
  readonly isRegistered: (sock: WASocket, jid: Jid) => Promise<boolean>;
  /** Who sees a story. */
  readonly audience: () => Promise<readonly Jid[]>;
}

/** As it lies in the vault: the message itself in the network's own bytes. */
interface SentRecord extends Omit<Outgoing, 'message'> {
  readonly bytes: Uint8Array;
}

/**
 * Sends with the id that the gateway chose. What is built is kept before it leaves, so that the same id always means the same message:
 * media is not uploaded twice, a poll keeps its secret, and a device that could not read it gets it again, also after a restart.
 */
export function createSender({ context, acks, isRegistered, audience }: SenderOptions): Sender {
  async function find(messageId: string): Promise<Outgoing | undefined> {
    const found = await context.vault().read('sent', [messageId]);
    // Written by `keep`.
    const record = found.get(messageId) as SentRecord | undefined;
    return record && { ...record, message: proto.Message.decode(record.bytes) };
  }

  async function keep(messageId: string, { message, ...outgoing }: Outgoing): Promise<void> {
    const record: SentRecord = { ...outgoing, bytes: proto.Message.encode(message).finish() };
    const { id, lid } = context.me();
    const { poll }: KeyBatch = pollSecretOf(message, messageId, accountsOf(id, lid));
    await context.vault().commit({
      puts: [
        { kind: 'sent', id: messageId, value: record },
        ...Object.entries(poll ?? {}).map(([pollId, value]) => ({ kind: 'poll', id: pollId, value })),
      ],
    });
  }

  async function built(sock: WASocket, message: OutboundMessage): Promise<Outgoing> {
    const before = await find(message.messageId);
    if (before) return before;
    const outgoing = await prepare(context, sock, message);
    await keep(message.messageId, outgoing);
    return outgoing;
  }

  async function relay(sock: WASocket, messageId: string, outgoing: Outgoing, whom: Whom = {}): Promise<Ack> {
    const { to, message, attributes, nodes } = outgoing;
    const statusJidList = to === STATUS_BROADCAST ? [...(await audience())] : undefined;
    if (isPhone(to) || isLid(to)) await findDevices(sock, to);
    const { ack, forget } = acks.expect(messageId);
    try {
      await aboutRecipient(
        sock.relayMessage(to, message, {
          ...whom,
          messageId,
          ...(attributes ? { additionalAttributes: { ...attributes } } : {}),
          ...(nodes ? { additionalNodes: [...nodes] } : {}),
          ...(statusJidList ? { statusJidList } : {}),
        }),
      );
      return await ack;
    } finally {
      forget();
    }
  }

  return {
    send: (message) =>
      ask(context, async (sock) => {
        const { to, content, messageId } = message;
        if (to !== undefined && isPhone(to) && !(await isRegistered(sock, to))) throw unknownRecipient();
        if (content.kind === 'disappearing' && to !== undefined && isGroup(to)) {
          return aboutRecipient(sock.groupToggleEphemeral(to, content.seconds));
        }
        const { error } = await relay(sock, messageId, await built(sock, message));
        if (error === undefined) return;
        throw isAboutAnotherMessage(content) ? ackError(error) : recipientError(ackError(error));
      }),
    sent: async ({ id }) => (id ? find(id) : undefined),
    async sendAgain(sock, messageId, whom) {
      const outgoing = await find(messageId);
      if (outgoing) await relay(sock, messageId, outgoing, whom);
    },
  };
}

function unknownRecipient(cause?: unknown): NetworkError {
  const text = 'The network does not know the recipient.';
  return new NetworkError('permanent', text, { failure: 'invalid_recipient', cause });
}

/** Where nothing but the recipient can be unknown to the network. */
function recipientError(error: NetworkError): NetworkError {
  return error.kind === 'not_found' ? unknownRecipient(error) : error;
}

/** All that is asked on the way to the socket is who the recipients are. */
function aboutRecipient<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw recipientError(toNetworkError(error));
  });
}

/** The account may not start new chats: trying again counts against it. */
const RESTRICTED = 463;
/** The network cannot make sense of the stanza, and will not at the next try. */
const UNACCEPTABLE = 479;

export function ackError(code: number): NetworkError {
  switch (code) {
    case RESTRICTED:
      return new NetworkError('permanent', 'The network does not let this number start new chats.');
    case UNACCEPTABLE:
      return new NetworkError('permanent', 'The network does not accept this message.');
    default:
      return refusal(code);
  }
}
