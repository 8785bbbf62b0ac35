import { type Html, html } from './html.ts';

/** Colours for code, set on the server: each language is a list of tokens, tried in order at every position. */
export type Language = keyof typeof LANGUAGES;

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const NUMBER = /\b\d+(?:\.\d+)?\b/;

const LANGUAGES = {
  json: [
    ['key', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['string', STRING],
    ['number', /-?\b\d+(?:\.\d+)?\b/],
    ['word', /\b(?:true|false|null)\b/],
  ],
  shell: [
    ['comment', /(?<=^|\n)#[^\n]*/],
    ['command', /(?<=^|\n)(?:curl|export)\b/],
    ['key', /"(?:[^"\\\n]|\\.)*"(?=:)/],
    ['string', STRING],
    ['word', /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  http: [
    ['key', /(?<=^|\n)[A-Za-z-]+(?=: )/],
    ['word', /(?<=^|\n)[A-Z]+(?= )/],
  ],
  javascript: [
    ['comment', /\/\/[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:const|export|for|from|function|if|import|let|new|of|return|throw)\b/],
    ['number', NUMBER],
  ],
  python: [
    ['comment', /#[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:and|any|def|for|from|if|import|in|not|or|return)\b/],
    ['number', NUMBER],
  ],
} as const satisfies Record<string, readonly (readonly [string, RegExp])[]>;

export function highlight(language: Language, code: string): Html[] {
  const tokens = LANGUAGES[language];
  const pattern = new RegExp(tokens.map(([, { source }]) => `(${source})`).join('|'), 'g');
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = tokens[match.slice(1).findIndex((group) => group !== undefined)]?.[0];
    parts.push(html`${code.slice(end, match.index)}<span class="tok-${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, html`${code.slice(end)}`];
}
