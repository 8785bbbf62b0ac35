import type { BinaryNode } from 'baileys';
import type { ContactEvent } from '../../events.ts';
import { boundedId, boundedSeconds, boundedText } from './bounds.ts';
import type { NameOf } from './events.ts';
import { accountOf, isMe, isPerson, type Me } from './jid.ts';

/** What somebody has changed of their picture or their About text, by the name that `nameOf` says. */
export async function readContactChanges(
  { attrs, content }: BinaryNode,
  me: Me,
  nameOf: NameOf,
): Promise<readonly ContactEvent[]> {
  const from = accountOf(attrs.from);
  if (!attrs.id || !isPerson(from) || isMe(from, me)) return [];
  const change = changeIn(attrs.type, Array.isArray(content) ? content : []);
  if (!change) return [];
  const timestamp = boundedSeconds(attrs.t);
  const id = ['contact', from, timestamp, boundedId(attrs.id)].join('/');
  return [{ kind: 'contact', id, timestamp, contact: await nameOf(from), change }];
}

function changeIn(
  type: string | undefined,
  content: readonly BinaryNode[],
): ContactEvent['change'] | undefined {
  const set = content.find(({ tag }) => tag === 'set');
  switch (type) {
    case 'picture': {
      if (!set) return content.some(({ tag }) => tag === 'delete') ? { type: 'picture' } : undefined;
      const { id } = set.attrs;
      return { type: 'picture', ...(id ? { pictureId: boundedId(id) } : {}) };
    }
    case 'status':
      return set && { type: 'about', about: textOf(set) };
    default:
      return undefined;
  }
}

function textOf({ content }: BinaryNode): string {
  if (typeof content === 'string') return boundedText(content);
  return content instanceof Uint8Array ? boundedText(Buffer.from(content).toString()) : '';
}
