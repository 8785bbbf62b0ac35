import { type Operation, operations } from '@parley/contract';
import type { Token } from 'marked';
import { type Html, html } from '../html.ts';
import type { LinkTarget } from './links.ts';

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
