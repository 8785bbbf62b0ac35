import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildOpenApi } from '@parley/contract';
import type { Page } from '#platform/http';
import { buildAsyncApi } from './asyncapi.ts';
import { requestCollection } from './collection.ts';
import { drawNavigation, drawSection, type Section } from './components.ts';
import { guidePages } from './guides/pages.ts';
import { html } from './html.ts';
import { eventsSection } from './sections/events.ts';
import { introductionSection } from './sections/introduction.ts';
import { operationSections } from './sections/operations.ts';
import { type AssetUrl, shell, siteBar } from './shell.ts';
import { examples } from './snippets/languages.ts';

const ASSETS: Readonly<Record<string, string>> = {
  'mark.svg': 'image/svg+xml',
  'theme.css': 'text/css; charset=utf-8',
  'shell.css': 'text/css; charset=utf-8',
  'components.css': 'text/css; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'guides.css': 'text/css; charset=utf-8',
  'phone.css': 'text/css; charset=utf-8',
  'script.js': 'text/javascript; charset=utf-8',
  'examples.js': 'text/javascript; charset=utf-8',
};
const ASSETS_PATH = '/docs/assets';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Revalidated with every request, and answered with 304 while unchanged. */
const ALWAYS_ASK = { 'Cache-Control': 'no-cache' };
const PAGE_HEADERS = {
  ...ALWAYS_ASK,
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
};
/** The address changes with the content, so it never expires. */
const KEEP = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * The API reference for people (`/docs`) and for machines (`/openapi.json`, `/asyncapi.json`, a collection of requests), and the guides.
 * `baseUrl` is where clients reach the gateway. It is read with the first request, when a gateway on a free port knows its own.
 */
export function referencePages({
  baseUrl,
  version,
  network,
}: {
  baseUrl: () => string;
  version: string;
  /** Target of requests that are sent from the page. */
  network: 'sandbox' | 'whatsapp';
}): Page[] {
  return [
    {
      path: '/docs',
      type: 'text/html; charset=utf-8',
      headers: PAGE_HEADERS,
      render: () => referencePage({ baseUrl: baseUrl(), version, network, assetUrl }),
    },
    {
      path: '/docs/examples.json',
      type: 'application/json; charset=utf-8',
      headers: ALWAYS_ASK,
      render: () => JSON.stringify(examples(baseUrl())),
    },
    {
      path: '/openapi.json',
      type: 'application/json; charset=utf-8',
      headers: ALWAYS_ASK,
      render: () => JSON.stringify(buildOpenApi({ version, serverUrl: baseUrl() }), null, 2),
    },
    {
      path: '/asyncapi.json',
      type: 'application/json; charset=utf-8',
      headers: ALWAYS_ASK,
      render: () => JSON.stringify(buildAsyncApi({ version, serverUrl: baseUrl() }), null, 2),
    },
    {
      path: '/docs/parley.postman_collection.json',
      type: 'application/json; charset=utf-8',
      headers: ALWAYS_ASK,
      render: () => JSON.stringify(requestCollection({ version, baseUrl: baseUrl() }), null, 2),
    },
    ...guidePages({ version, assetUrl, headers: PAGE_HEADERS, fileHeaders: ALWAYS_ASK }),
    ...Object.entries(ASSETS).map(([file, type]) => ({
      path: `${ASSETS_PATH}/${file}`,
      type,
      headers: KEEP,
      render: () => readAsset(file),
    })),
  ];
}

function assetUrl(file: string): string {
  return `${ASSETS_PATH}/${file}?v=${createHash('sha256').update(readAsset(file)).digest('hex').slice(0, 12)}`;
}

function readAsset(file: string): string {
  return readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8');
}

/** The whole reference as one page. */
export function referencePage({
  baseUrl,
  version,
  network,
  assetUrl,
}: {
  baseUrl: string;
  version: string;
  network: string;
  assetUrl: AssetUrl;
}): string {
  const sections: Section[] = [
    introductionSection(baseUrl),
    ...operationSections(['v1', 'signed'], baseUrl),
    eventsSection(),
    ...operationSections(['operator', 'public'], baseUrl),
  ];
  return shell({
    title: 'Parley API reference',
    description: 'Every request, answer, error and event of the Parley API.',
    assetUrl,
    styles: ['reference.css'],
    scripts: ['examples.js'],
    bar: siteBar({ assetUrl, version, here: 'reference' }),
    navigation: drawNavigation(sections),
    content: html`<h1 class="unseen" data-network="${network}">Parley API reference</h1>
${sections.map(drawSection)}`,
  }).toString();
}
