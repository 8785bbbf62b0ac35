import { posix } from 'node:path';
import { type Operation, operations } from '@parley/contract';
import type { Token } from 'marked';
import { type Html, html } from '../html.ts';
import { pathOf } from './contents.ts';

/** Words with their emphasis, code and links. */
export function drawInline(tokens: readonly Token[], target: LinkTarget): Html {
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

/** Code between words; an operation leads to its entry in the reference. */
function codeWords(code: string): Html {
  const entry = ENTRIES.get(code);
  return entry === undefined
    ? html`<code>${code}</code>`
    : html`<a href="/docs#${entry}"><code>${code}</code></a>`;
}

/** What a reader would read aloud. */
export function plainText(token: Token): string {
  if (token.type === 'table') return [...token.header, ...token.rows.flat()].map(plainText).join(' ');
  if (token.type === 'list') return token.items.map(plainText).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? token.text : '';
}

/** The address of a link on the site; undefined where it leads to a file of the repository that is no page. */
export type LinkTarget = (href: string) => string | undefined;

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
