import {
  ERRORS,
  type ErrorCode,
  EVENT_KINDS,
  errorsOf,
  type Operation,
  operations,
  SEND_KINDS,
  sampleError,
} from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { html } from './html.ts';
import { referencePage } from './pages.ts';

const page = render('https://gateway.example.com');

function render(baseUrl: string): string {
  return referencePage({
    baseUrl,
    version: '1.2.3',
    network: 'sandbox',
    assetUrl: (file) => `/docs/assets/${file}`,
  });
}

function escaped(text: string): string {
  return html`${text}`.toString();
}

/** The article of one entry. */
function entry(id: string): string {
  const start = page.indexOf(`<article class="entry" id="${id}"`);
  return start === -1 ? '' : page.slice(start, page.indexOf('</article>', start));
}

describe('the reference documents everything in the contract except what only the portal uses', () => {
  const all = Object.values<Operation>(operations).filter(({ tag }) => tag !== 'Portal');

  test.each(all.map((operation) => [operation.id, operation] as const))('operation %s', (id, operation) => {
    const article = entry(id);
    expect(article).toContain(operation.method);
    expect(article.replaceAll('<wbr>', '')).toContain(`<code>${operation.path}</code>`);
    expect(article).toContain(escaped(operation.summary));
    expect(article).toContain('curl');
    for (const code of errorsOf(operation)) expect(article).toContain(escaped(sampleError(code).text));
    for (const name of Object.keys(operation.params?.properties ?? {})) {
      expect(article).toContain(`<code class="field-name">${name}</code>`);
    }
  });

  test.each(Object.values(SEND_KINDS))(
    'send kind $kind, with every field and an example',
    ({ kind, schema }) => {
      const start = page.indexOf(`<article class="entry part" id="sendMessage-${kind}"`);
      const article = page.slice(start, page.indexOf('</article>', start));
      expect(start).toBeGreaterThan(-1);
      expect(article).toContain('Idempotency-Key: order-1042');
      for (const name of Object.keys(schema.properties).filter(
        (field) => !['session_id', 'to'].includes(field),
      ))
        expect(article).toContain(`<code class="field-name">${name}</code>`);
    },
  );

  test.each(EVENT_KINDS)('event %s', (kind) => {
    expect(entry(`event-${kind}`)).toContain(`&quot;${kind}&quot;`);
  });

  test.each(Object.keys(ERRORS) as ErrorCode[])('error %s, with its exact text', (code) => {
    expect(entry('errors')).toContain(`<code>${escaped(sampleError(code).text)}</code>`);
  });

  test('sections have the order of the specification', () => {
    const titles = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(titles).toEqual([
      'introduction',
      'pairing',
      'sessions',
      'groups',
      'contacts-and-profile',
      'chats',
      'channels',
      'messages',
      'media',
      'webhooks',
      'pull-and-stream',
      'terms-of-service',
      'events',
      'operator-api',
      'health',
    ]);
  });
});

describe('the page is well-formed', () => {
  const VOID = new Set(['meta', 'link', 'img', 'input', 'br', 'wbr']);

  test('every tag that opens also closes, in order', () => {
    const open: string[] = [];
    const body = page.replace('<!doctype html>', '');
    for (const [tag, slash, name = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)(?: [^<>]*)?>/g)) {
      if (VOID.has(name)) continue;
      if (slash === '') open.push(name);
      else
        expect(open.pop(), `${tag} after ${body.slice(0, body.indexOf(tag)).length} characters`).toBe(name);
    }
    expect(open).toEqual([]);
    expect(body.replaceAll(/<\/?[a-z][a-z0-9]*(?: [^<>]*)?>/g, '')).not.toMatch(/[<>]/);
  });

  test('every anchor is unique, and every link inside the page leads to one', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('nothing is inline that the content policy would refuse, and nothing is loaded from other hosts', () => {
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(page).not.toMatch(/<script(?![^>]* src=)/);
    const addresses = [...page.matchAll(/\s(?:src|href)="([^"#][^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith('/'))).toEqual([]);
  });

  test('a hostile base URL is escaped', () => {
    const hostile = render(`https://x/"><script>alert(1)</script>`);
    expect(hostile).not.toContain('<script>alert');
    expect(hostile).toContain('&lt;script&gt;alert(1)');
  });
});
