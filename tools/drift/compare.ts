import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { QUERIES_IN_USE, UNDERSTOOD } from '../../packages/gateway/src/network/whatsapp/drift/understood.ts';

/** What one part of a specification has and the driver's table lacks, and the other way round. */
export interface Difference {
  readonly part: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/** Names by part, as read from files; a part that no file describes is absent and not compared. */
type Specification = Map<string, Set<string>>;

/**
 * Reads the files of an extracted specification: stanzas and stored queries as JSON, messages as `.proto`. A file
 * is recognized by what is in it, so the folder may have any shape.
 */
export function readSpecification(place: string): Specification {
  const found: Specification = new Map();
  for (const file of filesIn(place)) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.proto')) readProto(text, found);
    else readJson(JSON.parse(text), found);
  }
  return found;
}

function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:\.proto|(?:^|\/)index\.json)$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(place, file))
    .toSorted();
}

function add(found: Specification, part: string, names: Iterable<string>): void {
  const known = found.get(part) ?? new Set();
  for (const name of names) known.add(name);
  found.set(part, known);
}

/** A node of the specification: attributes by name, and children. */
interface Shape {
  readonly tag?: string;
  readonly attrs?: Readonly<
    Record<string, { readonly value?: string; readonly enumValues?: readonly string[] }>
  >;
  readonly children?: readonly (Shape & { readonly __variants?: readonly string[] })[];
}

interface Described {
  readonly node?: Shape;
  readonly variants?: Readonly<Record<string, { readonly node?: Shape }>>;
}

interface Operation {
  readonly docId?: string;
  readonly response?: object;
  readonly rootTag?: string;
  readonly responses?: readonly { readonly node?: Shape }[];
}

interface JsonSpecification {
  readonly stanzas?: Readonly<Record<string, Described>>;
  readonly operations?: Readonly<Record<string, Operation>>;
}

function readJson({ stanzas, operations = {} }: JsonSpecification, found: Specification): void {
  if (stanzas) readStanzas(stanzas, found);
  for (const [name, { docId, response, rootTag, responses = [] }] of Object.entries(operations)) {
    if (docId)
      add(
        found,
        'query',
        Object.keys(response ?? {}).map((root) => `${root} ${docId}`),
      );
    if (docId && name.endsWith('Notification')) add(found, 'mex', [name]);
    for (const { node } of rootTag === 'notification' ? responses : []) {
      const type = node?.attrs?.type?.value;
      if (type !== undefined) addNotification(found, type, node);
    }
  }
}

function readStanzas(stanzas: Readonly<Record<string, Described>>, found: Specification): void {
  add(found, 'stanza', Object.keys(stanzas));
  for (const [type, { node }] of Object.entries(stanzas.notification?.variants ?? {}))
    addNotification(found, type.split('/')[0] ?? type, node);
  for (const part of ['ib', 'call']) {
    const { node } = stanzas[part] ?? {};
    if (!node) continue;
    add(found, part, tagsIn(node));
    add(
      found,
      part,
      (node.children ?? []).flatMap(({ __variants = [] }) => __variants),
    );
  }
  for (const [type, { node }] of Object.entries(stanzas.receipt?.variants ?? {})) {
    if (!type.startsWith('is-')) add(found, 'receipt', [type]);
    add(found, 'receipt', node?.attrs?.type?.enumValues ?? []);
  }
}

function addNotification(found: Specification, type: string, node: Shape | undefined): void {
  add(found, 'notification', [type, ...tagsIn(node).map((tag) => `${type}/${tag}`)]);
}

/** Extractors write `*` for a child of any tag, and `test` for one that they could not name. */
function tagsIn(node: Shape | undefined): string[] {
  return (node?.children ?? []).flatMap(({ tag }) => (tag && tag !== '*' && tag !== 'test' ? tag : []));
}

function readProto(text: string, found: Specification): void {
  const message = blockOf(text, /^message Message \{/m);
  // Fields of the message itself stand at its first level; nested blocks are indented deeper.
  const fields = message.matchAll(/^ {4}(?:optional |repeated )?\S+ (\w+) = (\d+)/gm);
  add(
    found,
    'message',
    Array.from(fields, ([, name, number]) => `${name} ${number}`),
  );
  const types = blockOf(blockOf(message, /message ProtocolMessage \{/), /enum Type \{/);
  add(
    found,
    'protocol',
    Array.from(types.matchAll(/(\w+) = (\d+)/g), ([, name, number]) => `${name} ${number}`),
  );
}

/** The text between a heading's brace and the one that closes it. */
function blockOf(text: string, heading: RegExp): string {
  const start = heading.exec(text);
  if (!start) return '';
  const from = start.index + start[0].length;
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return text.slice(from, at);
  }
  return '';
}

/** The driver's table in the form of a specification. */
function understood(): Specification {
  const found: Specification = new Map();
  for (const part of ['stanza', 'ib', 'receipt', 'call', 'mex'] as const) add(found, part, UNDERSTOOD[part]);
  for (const [type, children] of Object.entries(UNDERSTOOD.notification))
    add(found, 'notification', [type, ...children.map((child) => `${type}/${child}`)]);
  for (const part of ['message', 'protocol'] as const)
    add(
      found,
      part,
      Object.entries(UNDERSTOOD[part]).map(([name, number]) => `${name} ${number}`),
    );
  add(
    found,
    'query',
    QUERIES_IN_USE.map(({ id, path: root }) => `${root} ${id}`),
  );
  return found;
}

export function compare(specification: Specification): Difference[] {
  const ours = understood();
  return [...specification].map(([part, theirs]) => {
    const known = ours.get(part) ?? new Set();
    return {
      part,
      // A web client has hundreds of queries that no gateway needs; of them only a new id of a used one counts.
      added: [...(part === 'query' ? [] : theirs)].filter((name) => !known.has(name)).toSorted(),
      gone: [...known].filter((name) => !theirs.has(name)).toSorted(),
    };
  });
}
