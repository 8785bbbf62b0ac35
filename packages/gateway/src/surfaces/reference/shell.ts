import { GUIDES_PATH, hasGuides } from './guides/contents.ts';
import { type Child, type Html, html } from './html.ts';

export type AssetUrl = (file: string) => string;

/** The frame of every page: head, bar, navigation, content. Each page fills it. */
export function shell({
  title,
  description,
  assetUrl,
  styles,
  scripts = [],
  bar,
  navigation,
  searchIndex,
  content,
}: {
  title: string;
  description: string;
  /** Address of a file in `assets`, which changes with the file's content. */
  assetUrl: AssetUrl;
  /** Scripts and styles of this page, beside those of every page. */
  styles: readonly string[];
  scripts?: readonly string[];
  bar: Child;
  navigation: Child;
  /** Address of the search index, for a search over more than this page. */
  searchIndex?: string;
  content: Child;
}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${assetUrl('mark.svg')}">
<link rel="stylesheet" href="${assetUrl('theme.css')}">
<link rel="stylesheet" href="${assetUrl('shell.css')}">
<link rel="stylesheet" href="${assetUrl('components.css')}">
${styles.map(
  (file) => html`<link rel="stylesheet" href="${assetUrl(file)}">
`,
)}${['script.js', ...scripts].map((file) => html`<script type="module" src="${assetUrl(file)}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<button class="menu" type="button" popovertarget="contents" aria-label="Contents"><span></span></button>
${bar}
</header>
<nav class="contents" id="contents" popover aria-label="Contents">
<div class="search" data-search="${searchIndex}" hidden>
<input type="search" placeholder="Search" aria-label="Search" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<p class="unseen" role="status"></p>
<ul class="results" hidden></ul>
</div>
<div class="groups">${navigation}</div>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}

const PLACES = {
  guides: ['Guides', GUIDES_PATH],
  reference: ['API reference', '/docs'],
} as const;
type Place = keyof typeof PLACES;

/** The top of every page: the name, and links to the other places. */
export function siteBar({
  assetUrl,
  version,
  here,
}: {
  assetUrl: AssetUrl;
  version: string;
  here: Place;
}): Html {
  // An installation without guides has no link to them.
  const places = Object.entries(PLACES).filter(([place]) => place !== 'guides' || hasGuides());
  return html`<a class="brand" href="${places[0]?.[1][1]}"><img src="${assetUrl('mark.svg')}" alt="" width="24" height="24">Parley</a>
<span class="version">${version}</span>
<span class="bar-links">${places.map(
    ([
      place,
      [name, path],
    ]) => html`<a href="${path}"${place === here && html` aria-current="page"`}>${name}</a>
`,
  )}<a class="aside" href="/openapi.json">OpenAPI</a></span>`;
}
