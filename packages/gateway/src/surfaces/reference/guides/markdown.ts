import { posix } from 'node:path';
import { type Operation, operations, parseSend } from '@parley/contract';
import { lexer, type Token, type Tokens } from 'marked';
import { panel, panelTabs, table } from '../components.ts';
import { languageOf } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import { pathOf } from './contents.ts';
import { drawPhone } from './phone.ts';

/** A parsed guide. */
export interface DrawnGuide {
  readonly title: string;
  /** Markup before the first heading. */
  readonly lead: Html;
  readonly sections: readonly DrawnSection[];
}

export interface DrawnSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  /** Plain text, for the search. */
  readonly text: string;
}

/** Renders Markdown with the components of the reference. HTML inside the Markdown is escaped. */
export function drawGuide(markdown: string, target: LinkTarget): DrawnGuide {
  const slug = createSlugger();
  const tokens = lexer(markdown);
  const title = tokens.find((token) => isHeading(token, 1));
  const titleText = title ? plainText(title) : '';
  slug(titleText);
  const [lead = [], ...sections] = splitBefore(
    tokens.filter((token) => token !== title),
    (token) => isHeading(token, 2),
  );
  const draw = (part: readonly Token[]) => drawBlocks(part, { slug, target });
  return {
    title: titleText,
    lead: draw(lead),
    sections: sections.map(([heading, ...body]) => {
      const text = heading ? plainText(heading) : '';
      // Precedes the body, which has headings of its own: anchors are numbered in the order of the page.
      const id = slug(text);
      return { id, title: text, body: draw(body), text: body.map(plainText).join(' ') };
    }),
  };
}

interface BlockContext {
  readonly slug: (heading: string) => string;
  readonly target: LinkTarget;
}

function drawBlocks(tokens: readonly Token[], context: BlockContext): Html {
  const visible = tokens.filter(({ type }) => type !== 'space');
  const runs = splitBefore(
    visible,
    (token, previous) => !(standsInTabs(token) && previous !== undefined && standsInTabs(previous)),
  );
  return html`${runs.map((run) =>
    run.length > 1
      ? panelTabs(
          'Language',
          run.map((token) => drawBlock(token, context)),
        )
      : run.map((token) => drawBlock(token, context)),
  )}`;
}

function drawBlock(token: Token, context: BlockContext): Html {
  const { slug, target } = context;
  const inline = (tokens: readonly Token[] = []) => drawInline(tokens, target);
  switch (token.type) {
    case 'heading': {
      const id = slug(plainText(token));
      return html`<h3 id="${id}"><a class="heading-link" href="#${id}">${inline(token.tokens)}</a></h3>
`;
    }
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>
`;
    case 'text':
      return token.tokens ? inline(token.tokens) : html`${token.text}`;
    case 'code':
      return codeBlock(token as Tokens.Code);
    case 'blockquote':
      return html`<div class="note">${drawBlocks(token.tokens ?? [], context)}</div>
`;
    case 'list':
      return drawList(token as Tokens.List, context);
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return table(
        header.map((cell) => cell.text),
        rows.map((row) => row.map((cell) => inline(cell.tokens))),
      );
    }
    case 'hr':
      return html`<hr>
`;
    default:
      return html`<p>${token.raw}</p>
`;
  }
}

function drawList({ ordered, items }: Tokens.List, context: BlockContext): Html {
  const drawn = items.map(
    (item) => html`<li>${item.task && checkBox(item)}${drawBlocks(withoutBoxes(item), context)}</li>
`,
  );
  return ordered
    ? html`<ol>${drawn}</ol>
`
    : html`<ul>${drawn}</ul>
`;
}

function checkBox({ checked }: Tokens.ListItem): string {
  return checked ? '☑ ' : '☐ ';
}

function withoutBoxes({ tokens }: Tokens.ListItem): Token[] {
  return tokens.filter(({ type }) => type !== 'checkbox');
}

function isHeading(token: Token, depth: number): boolean {
  return token.type === 'heading' && token.depth === depth;
}

/** Cuts before every matching item; the items before the first match are the first part. */
function splitBefore<T>(items: readonly T[], cuts: (item: T, previous: T | undefined) => boolean): T[][] {
  const parts: T[][] = [[]];
  for (const [index, item] of items.entries()) {
    if (cuts(item, items[index - 1])) parts.push([]);
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** Anchors as GitHub makes them, so that a link works there and here. One slugger per page: a repeated heading gets a number. */
export function createSlugger(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = taken.get(slug) ?? 0;
    taken.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}

/**
 * Renders a code block. Words after the language are options: `run`, a test runs it; `tab`, it shares a panel with its neighbours; `send`,
 * it is the body of a send, and the phone's view is drawn beside it.
 */
function codeBlock({ text, lang = '' }: Tokens.Code): Html {
  const [name = '', ...words] = lang.split(' ');
  const drawn = panel({ ...languageOf(name), code: text });
  return words.includes('send') ? html`<div class="send">${drawn}${pictureOf(text)}</div>` : drawn;
}

function standsInTabs(token: Token): boolean {
  return token.type === 'code' && String(token.lang).split(' ').includes('tab');
}

function pictureOf(body: string): Html {
  const parsed = parseSend(JSON.parse(body));
  if (!parsed.ok) throw new Error(`The guides show an invalid send: ${body}`);
  return drawPhone(parsed.send);
}

/** Renders text with its emphasis, code and links. */
function drawInline(tokens: readonly Token[], target: LinkTarget): Html {
  return html`${tokens.map((token) => drawToken(token, target))}`;
}

function drawToken(token: Token, target: LinkTarget): Html {
  const inner = () => drawInline(('tokens' in token && token.tokens) || [], target);
  switch (token.type) {
    case 'strong':
      return html`<strong>${inner()}</strong>`;
    case 'em':
      return html`<em>${inner()}</em>`;
    case 'codespan':
      return codeWords(token.text);
    case 'br':
      return html`<br>`;
    case 'link': {
      const address = target(token.href);
      return address === undefined ? inner() : html`<a href="${address}">${inner()}</a>`;
    }
    case 'image': {
      const address = target(token.href);
      return address === undefined
        ? html`${token.text}`
        : html`<img src="${address}" alt="${token.text}" loading="lazy">`;
    }
    case 'text':
      return token.tokens ? inner() : html`${token.text}`;
    case 'escape':
      return html`${token.text}`;
    default:
      return html`${token.raw}`;
  }
}

const ENTRIES = new Map(
  Object.values<Operation>(operations)
    .filter(({ tag }) => tag !== 'Portal')
    .map(({ id, method, path }) => [`${method} ${path}`, id]),
);

/** Inline code; an operation links to its entry in the reference. */
function codeWords(code: string): Html {
  const entry = ENTRIES.get(code);
  return entry === undefined
    ? html`<code>${code}</code>`
    : html`<a href="/docs#${entry}"><code>${code}</code></a>`;
}

/** Plain text, without markup. */
function plainText(token: Token): string {
  if (token.type === 'table') return [...token.header, ...token.rows.flat()].map(plainText).join(' ');
  if (token.type === 'list') return token.items.map(plainText).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? token.text : '';
}

/** Address of a link on the site; undefined for a file of the repository that is no page. */
type LinkTarget = (href: string) => string | undefined;

/** Links are written for readers of the repository: `webhooks.md#verifying`. On the site they lead to pages. */
export function linksFrom(file: string, pages: ReadonlySet<string>): LinkTarget {
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    const [name = '', anchor] = href.split('#');
    const wanted = posix.join(posix.dirname(file), name);
    const path = wanted.endsWith('.md') ? pathOf(wanted) : pathOf(`${wanted}.md`);
    if (!pages.has(path)) return undefined;
    return anchor === undefined ? path : `${path}#${anchor}`;
  };
}
