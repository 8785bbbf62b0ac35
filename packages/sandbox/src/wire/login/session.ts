import type { CloseReason, LinkedDevice, SessionId } from '../../world/index.ts';
import { lidJid } from '../../world/index.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import type { Network, Session, StanzaHandler } from '../network.ts';
import { nameOf, unixSeconds } from '../ports.ts';
import type { Outbox } from '../signal/outbox.ts';
import type { Connection, Conversation } from '../transport/connection.ts';
import { child, type Node, node } from '../transport/nodes.ts';
import { DEVICE_REMOVED, REPLACED, streamError } from './endings.ts';
import type { Introduction } from './introduction.ts';
import {
  createMailboxDelivery,
  type MailboxDelivery,
  type Rewriter,
  type Writer,
} from './mailbox-delivery.ts';
import type { Welcome } from './welcome.ts';

export interface SessionOptions {
  readonly network: Network;
  readonly connection: Connection;
  readonly device: LinkedDevice;
  /** It says itself when it wants to hear what waits; any other client wants to at once. */
  readonly passive: boolean;
  readonly outbox: Outbox;
  readonly write: Writer;
  readonly rewrite: Rewriter;
  readonly forwarding: Forwarding;
  /** By tag; `ack` and retry receipts never get here. */
  readonly handlers: Readonly<Record<string, StanzaHandler>>;
  readonly introduction: Introduction;
  readonly welcome: Welcome;
  /** Clears what was kept for the device. */
  readonly forget: (sessionId: SessionId) => void;
}

/** A linked device on the line, from its login to its end. */
export function openSession(options: SessionOptions): Conversation {
  const { network, connection, device, passive, handlers, introduction, welcome, forget } = options;
  const { world, clock, companions, online } = network;
  const { faults } = world;
  /** What a deaf connection asked to come to the end of its login. */
  const asked = new Set<string>();
  /** Of a deaf connection only the login comes to its end; what waits is told again to the next. */
  const send = (stanza: Node): void => {
    const isOfLogin = BY_ITSELF.has(stanza.tag) || asked.has(stanza.attrs.id ?? '');
    if (faults.isDeaf(device.sessionId) && !isOfLogin) return;
    const late = ANSWERS.has(stanza.tag) ? faults.lateness(device.sessionId) : 0;
    if (late > 0) clock.after(late, () => connection.send(stanza));
    else connection.send(stanza);
  };
  const session: Session = { device, send };
  const delivery: MailboxDelivery = createMailboxDelivery({ ...options, session });
  let started = false;

  const attachment = world.mailboxes.attach(device.sessionId, {
    item: (item) => delivery.carry(item),
    closed(reason, code) {
      if (reason === 'unlinked') forget(device.sessionId);
      connection.close(farewell(reason, code));
    },
  });

  online.set(device.sessionId, session);
  const { lid } = world.phones.get(device.phone);
  session.send(node('success', { t: unixSeconds(clock), lid: lidJid(`${lid}:${device.device}`) }));
  session.send(welcome.routing());

  const start = async (): Promise<void> => {
    if (started) return;
    started = true;
    const { introduced } = companions.read(device);
    if (!introduced) welcome.changed(device.sessionId);
    for (const stanza of welcome.changes(device.sessionId)) session.send(stanza);
    if (!introduced) await introduction.begin(session);
    for (const stanza of welcome.preview(device.sessionId)) session.send(stanza);
    attachment.start();
    delivery.afterwards(node('ib', {}, [node('offline', { count: attachment.backlog })]));
  };

  // In a later turn: this one still has to make the conversation that it belongs to.
  if (!passive)
    Promise.resolve()
      .then(start)
      .catch((error: unknown) => {
        network.log.warn({ session: device.sessionId, error: nameOf(error) }, 'not begun');
        connection.close();
      });

  return {
    async receive(stanza) {
      if (faults.isDeaf(device.sessionId)) {
        if (!isPartOfLogin(stanza)) return;
        asked.add(stanza.attrs.id ?? '');
      }
      const isRetry = stanza.tag === 'receipt' && stanza.attrs.type === 'retry';
      if (isRetry) delivery.retry(stanza);
      else if (stanza.tag === 'ack' || stanza.tag === 'receipt') delivery.answered(stanza);
      if (stanza.tag === 'receipt') introduction.answered(session, stanza);
      await handlers[stanza.tag]?.(session, stanza);
      if (isActivation(stanza)) await start();
    },
    ended() {
      attachment.detach();
      if (online.get(device.sessionId) === session) online.delete(device.sessionId);
    },
  };
}

/** How a login goes. */
const BY_ITSELF: ReadonlySet<string> = new Set(['success', 'ib']);
const ANSWERS: ReadonlySet<string> = new Set(['iq', 'ack']);
const LOGIN: ReadonlySet<string | undefined> = new Set(['encrypt', 'passive']);

function isPartOfLogin({ tag, attrs }: Node): boolean {
  return tag === 'iq' && LOGIN.has(attrs.xmlns);
}

/** The client says that it wants to hear everything from now on. */
function isActivation(stanza: Node): boolean {
  return stanza.tag === 'iq' && stanza.attrs.xmlns === 'passive' && child(stanza, 'active') !== undefined;
}

/** What the client is told when the network ends the connection; nothing when a link just breaks. */
function farewell(reason: CloseReason, code: number | undefined): Node | undefined {
  switch (reason) {
    case 'replaced':
      return streamError(REPLACED);
    case 'unlinked':
      return streamError(DEVICE_REMOVED);
    case 'fault':
      return code === undefined ? undefined : streamError(code);
    case 'world_closed':
      return undefined;
  }
}
