import type { CloseReason, LinkedDevice, SessionId } from '../../world/index.ts';
import { lidJid } from '../../world/index.ts';
import type { Forwarding } from '../messages/forwarding.ts';
import type { Network, Session, StanzaHandler } from '../network.ts';
import { errorName, unixSeconds } from '../ports.ts';
import type { Outbox } from '../signal/outbox.ts';
import type { Connection, ConnectionHandler } from '../transport/connection.ts';
import { child, type Node, node } from '../transport/nodes.ts';
import { DEVICE_REMOVED, REPLACED, streamError } from './final-stanzas.ts';
import type { InitialSync } from './initial-sync.ts';
import type { LoginInfo } from './login-info.ts';
import {
  createMailboxDelivery,
  type MailboxDelivery,
  type Rewriter,
  type Writer,
} from './mailbox-delivery.ts';

export interface SessionOptions {
  readonly network: Network;
  readonly connection: Connection;
  readonly device: LinkedDevice;
  /** A passive client asks for its mailbox itself; any other gets it at once. */
  readonly passive: boolean;
  readonly outbox: Outbox;
  readonly write: Writer;
  readonly rewrite: Rewriter;
  readonly forwarding: Forwarding;
  /** By tag; `ack` and retry receipts are handled before. */
  readonly handlers: Readonly<Record<string, StanzaHandler>>;
  readonly initialSync: InitialSync;
  readonly loginInfo: LoginInfo;
  /** Deletes what was stored for the device. */
  readonly forget: (sessionId: SessionId) => void;
}

/** The session of a linked device, from its login to its end. */
export function openSession(options: SessionOptions): ConnectionHandler {
  const { network, connection, device, passive, handlers, initialSync, loginInfo, forget } = options;
  const { world, clock, companions, online } = network;
  const { faults } = world;
  /** Queries of the login, which are answered although the connection drops all traffic. */
  const asked = new Set<string>();
  /** A connection that drops all traffic gets only the stanzas of its login; the mailbox waits for the next one. */
  const send = (stanza: Node): void => {
    const isOfLogin = LOGIN_STANZAS.has(stanza.tag) || asked.has(stanza.attrs.id ?? '');
    if (faults.dropsTraffic(device.sessionId) && !isOfLogin) return;
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
      connection.close(finalStanza(reason, code));
    },
  });

  online.set(device.sessionId, session);
  const { lid } = world.phones.get(device.phone);
  session.send(node('success', { t: unixSeconds(clock), lid: lidJid(`${lid}:${device.device}`) }));
  session.send(loginInfo.routing());

  const start = async (): Promise<void> => {
    if (started) return;
    started = true;
    const { introduced } = companions.read(device);
    if (!introduced) loginInfo.changed(device.sessionId);
    for (const stanza of loginInfo.changes(device.sessionId)) session.send(stanza);
    if (!introduced) await initialSync.begin(session);
    for (const stanza of loginInfo.preview(device.sessionId)) session.send(stanza);
    attachment.start();
    delivery.afterwards(node('ib', {}, [node('offline', { count: attachment.backlog })]));
  };

  // In a later turn: this one still has to create the handler that the session belongs to.
  if (!passive)
    Promise.resolve()
      .then(start)
      .catch((error: unknown) => {
        network.log.warn({ session: device.sessionId, error: errorName(error) }, 'login failed');
        connection.close();
      });

  return {
    async receive(stanza) {
      if (faults.dropsTraffic(device.sessionId)) {
        if (!isPartOfLogin(stanza)) return;
        asked.add(stanza.attrs.id ?? '');
      }
      const isRetry = stanza.tag === 'receipt' && stanza.attrs.type === 'retry';
      if (isRetry) delivery.retry(stanza);
      else if (stanza.tag === 'ack' || stanza.tag === 'receipt') delivery.answered(stanza);
      if (stanza.tag === 'receipt') initialSync.answered(session, stanza);
      await handlers[stanza.tag]?.(session, stanza);
      if (isActivation(stanza)) await start();
    },
    ended() {
      attachment.detach();
      if (online.get(device.sessionId) === session) online.delete(device.sessionId);
    },
  };
}

/** Stanzas of a login. */
const LOGIN_STANZAS: ReadonlySet<string> = new Set(['success', 'ib']);
const ANSWERS: ReadonlySet<string> = new Set(['iq', 'ack']);
const LOGIN: ReadonlySet<string | undefined> = new Set(['encrypt', 'passive']);

function isPartOfLogin({ tag, attrs }: Node): boolean {
  return tag === 'iq' && LOGIN.has(attrs.xmlns);
}

/** The client asks for its mailbox. */
function isActivation(stanza: Node): boolean {
  return stanza.tag === 'iq' && stanza.attrs.xmlns === 'passive' && child(stanza, 'active') !== undefined;
}

/** The final stanza when the network ends the connection; undefined when a link just breaks. */
function finalStanza(reason: CloseReason, code: number | undefined): Node | undefined {
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
