import { jidDecode } from 'baileys';
import type { Actor, LinkedDevice, World } from '../../world/index.ts';
import { isGroupJid, statusJid } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { bytesOf, child, children, type Node } from '../transport/nodes.ts';

/** The ciphertexts in a client's message: one for each device, in shared chats also one for all. */
export interface Envelope {
  readonly id: string;
  /** The chat as the client addressed it. */
  readonly chat: string;
  readonly isShared: boolean;
  /** Everyone whom the client addressed by name. */
  readonly addressees: readonly string[];
  /** The one ciphertext for all devices. */
  readonly common: Node | undefined;
  copyFor(device: Actor): Node | undefined;
  /** The one device that requested the message again; no other gets this stanza. */
  readonly only: Actor | undefined;
  /** Copies for devices that do not exist (any more). */
  readonly strays: number;
}

const errorName = ({ phone, device }: Actor): string => `${phone}:${device}`;

/** Refuses an envelope without any copy. */
export function openEnvelope(world: Pick<World, 'phones'>, sender: LinkedDevice, stanza: Node): Envelope {
  const { id = '', to = '', participant, recipient } = stanza.attrs;
  const isShared = isGroupJid(to) || to === statusJid;
  const enclosed = children(stanza, 'enc').find((enc) => bytesOf(enc));
  const isCommon = enclosed?.attrs.type === 'skmsg';

  const actorOf = (jid: string): Actor | undefined => {
    const phone = world.phones.find(jid)?.phone;
    return phone === undefined ? undefined : { phone, device: jidDecode(jid)?.device ?? 0 };
  };

  const copies = new Map<string, Node>();
  const addressees: string[] = [];
  for (const listed of children(child(stanza, 'participants'), 'to')) {
    const { jid = '' } = listed.attrs;
    const enc = child(listed, 'enc');
    addressees.push(jid);
    const device = actorOf(jid);
    if (device && bytesOf(enc) && enc) copies.set(errorName(device), enc);
  }

  const only = enclosed && !isCommon ? actorOf(isShared ? (participant ?? '') : to) : undefined;
  if (only && enclosed) copies.set(errorName(only), enclosed);
  if (!enclosed && copies.size === 0) throw new Refusal(400, 'message without recipients');

  return {
    id,
    // a message to one of the own devices names the chat beside it
    chat: only?.phone === sender.phone && recipient ? recipient : to,
    isShared,
    addressees,
    common: isCommon ? enclosed : undefined,
    copyFor: (device) => copies.get(errorName(device)),
    only,
    strays: addressees.filter((jid) => {
      const device = actorOf(jid);
      return !device || !world.phones.deviceNumbers(device.phone).includes(device.device);
    }).length,
  };
}
