import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys';

/** A stanza or a part of one. */
export type Node = BinaryNode;

const COMPRESSED = 2;

export const SERVER = '@s.whatsapp.net';

/** Builds a node; attributes that are undefined are left out, numbers become text. */
export function node(
  tag: string,
  attributes: Record<string, string | number | undefined> = {},
  content?: Node['content'],
): Node {
  const attrs: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) attrs[name] = String(value);
  }
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

export function encodeNode(stanza: Node): Buffer {
  return encodeBinaryNode(stanza);
}

export async function decodeNode(bytes: Buffer): Promise<Node> {
  refuseCompressed(bytes);
  return decodeBinaryNode(bytes);
}

/** Clients never send compressed stanzas, and one small frame could expand to fill the memory. */
export function refuseCompressed(bytes: Buffer): void {
  const flags = bytes[0];
  if (flags === undefined || flags & COMPRESSED) throw new Error('stanza is empty or compressed');
}

export function children(parent: Node | undefined, tag?: string): Node[] {
  if (!Array.isArray(parent?.content)) return [];
  return tag === undefined ? parent.content : parent.content.filter((child) => child.tag === tag);
}

export function child(parent: Node | undefined, tag: string): Node | undefined {
  return children(parent, tag)[0];
}

export function bytesOf(source: Node | undefined): Buffer | undefined {
  const content = source?.content;
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? Buffer.from(content) : undefined;
}

export function textOf(source: Node | undefined): string | undefined {
  return bytesOf(source)?.toString('utf8');
}

export function childBytes(parent: Node | undefined, tag: string): Buffer | undefined {
  return bytesOf(child(parent, tag));
}
