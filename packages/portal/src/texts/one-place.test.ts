import { expect, it } from 'vitest';

const components = import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true });

/** Text before a closing tag, text in attributes that browsers show or read out, and sentences in quotes. */
const WORDS = [
  />\s*([^<>{}=;()]*[a-z]{2}[^<>{}=;()]*)<\//g,
  /\b(?:label|title|lead|hint|placeholder|alt|aria-label)="((?!https:)[^"]*[a-z]{2}[^"]*)"/g,
  /'([A-Z][a-z]+ [a-z]+[^']*)'/g,
];

it('keeps all texts out of components, so that a translation changes none of them', () => {
  expect(Object.keys(components).length).toBeGreaterThan(100);
  const found = Object.entries(components).flatMap(([path, source]) => {
    const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$|\{\/\*.*?\*\/\}/gm, '');
    return WORDS.flatMap((words) => [...code.matchAll(words)].map(([, text]) => `${path}: ${text}`));
  });
  expect(found).toEqual([]);
});
