import { GUIDES_PATH, hasGuides } from './guides/contents.ts';
import { type Html, html } from './html.ts';
import type { AssetUrl } from './shell.ts';

const PLACES = {
  guides: ['Guides', GUIDES_PATH],
  reference: ['API reference', '/docs'],
} as const;
type Place = keyof typeof PLACES;

/** The top of every page: whose it is, and the way to the other places. */
export function siteBar({
  assetUrl,
  version,
  here,
}: {
  assetUrl: AssetUrl;
  version: string;
  here: Place;
}): Html {
  // An installation without the guides has no way to them either.
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
