import { type Html, html } from './html.ts';

/** Highlights code on the server: each language is a list of tokens, tried in order at every position. */
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
    ['command', /(?<=^|\n)(?:curl|export|npm|node|docker|git)\b/],
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
    [
      'word',
      /\b(?:async|await|catch|const|else|export|for|from|function|if|import|let|new|of|return|throw|try)\b/,
    ],
    ['number', NUMBER],
  ],
  go: [
    ['comment', /\/\/[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:break|const|else|for|func|if|import|nil|package|range|return|true|false|var)\b/],
    ['number', NUMBER],
  ],
  php: [
    ['comment', /\/\/[^\n]*/],
    ['string', STRING],
    ['word', /<\?php|\b(?:as|declare|else|false|foreach|function|if|null|return|string|true)\b/],
    ['key', /\$\w+/],
    ['number', NUMBER],
  ],
  java: [
    ['comment', /\/\/[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:class|else|final|for|if|import|new|null|public|return|static|throws|try|catch|var)\b/],
    ['number', NUMBER],
  ],
  yaml: [
    ['comment', /#[^\n]*/],
    ['key', /(?<=^|\n|- )[ ]*[\w.-]+(?=:)/],
    ['string', STRING],
  ],
  /** No highlighting. */
  text: [],
  python: [
    ['comment', /#[^\n]*/],
    ['string', STRING],
    ['word', /\b(?:and|any|def|for|from|if|import|in|not|or|return)\b/],
    ['number', NUMBER],
  ],
} as const satisfies Record<string, readonly (readonly [string, RegExp])[]>;

export function highlight(language: Language, code: string): Html[] {
  const tokens: readonly (readonly [string, RegExp])[] = LANGUAGES[language];
  if (tokens.length === 0) return [html`${code}`];
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

/** Languages by the name in a code fence, each with its tokens and its title. */
const FENCES: Readonly<Record<string, readonly [Language, string]>> = {
  sh: ['shell', 'Shell'],
  json: ['json', 'JSON'],
  http: ['http', 'HTTP'],
  js: ['javascript', 'JavaScript'],
  ts: ['javascript', 'TypeScript'],
  python: ['python', 'Python'],
  go: ['go', 'Go'],
  php: ['php', 'PHP'],
  java: ['java', 'Java'],
  yaml: ['yaml', 'YAML'],
};

export function languageOf(fence: string): { language: Language; title: string } {
  const [language, title] = FENCES[fence] ?? ['text', 'Text'];
  return { language, title };
}
