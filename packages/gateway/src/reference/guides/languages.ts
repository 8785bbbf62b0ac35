import type { Language } from '../highlight.ts';

/** What a fence calls a language, how it is coloured, and what the reader calls it. */
const LANGUAGES: Readonly<Record<string, readonly [Language, string]>> = {
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
  const [language, title] = LANGUAGES[fence] ?? ['text', 'Text'];
  return { language, title };
}
