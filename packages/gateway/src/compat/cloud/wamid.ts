/**
 * A message as this surface names it. The id carries all that is needed to speak of the message again: a client that marks it as read says
 * neither chat nor sender. Of our own it carries nothing but the network's id, so that receipts lead to the same one.
 */
export type MessageRef =
  | { readonly fromMe: true; readonly id: string }
  | {
      readonly fromMe: false;
      readonly id: string;
      readonly chat: string;
      /** Who wrote it, in a group. */
      readonly participant?: string | undefined;
    };

const PREFIX = 'wamid.';
const OWN = '1';
const THEIRS = '0';
/** Cannot stand in an address or an id of the network. */
const BETWEEN = '\n';

export function formatWamid(ref: MessageRef): string {
  const parts = ref.fromMe ? [OWN, ref.id] : [THEIRS, ref.id, ref.chat, ref.participant ?? ''];
  return PREFIX + Buffer.from(parts.join(BETWEEN)).toString('base64url');
}

/** Undefined for what was not made here, such as the ids of messages from before a move. */
export function parseWamid(wamid: string): MessageRef | undefined {
  if (!wamid.startsWith(PREFIX)) return undefined;
  const parts = Buffer.from(wamid.slice(PREFIX.length), 'base64url').toString().split(BETWEEN);
  const [whose, id = '', chat = '', participant = ''] = parts;
  if (id === '') return undefined;
  if (whose === OWN && parts.length === 2) return { fromMe: true, id };
  if (whose !== THEIRS || parts.length !== 4 || chat === '') return undefined;
  return { fromMe: false, id, chat, ...(participant !== '' && { participant }) };
}
