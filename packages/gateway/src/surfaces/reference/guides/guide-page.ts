import { type Html, html } from '../html.ts';
import { type AssetUrl, shell, siteBar } from '../shell.ts';
import { type Guide, type GuideGroup, INDEX_GUIDE, readGuide } from './contents.ts';

import { type DrawnGuide, type DrawnSection, drawGuide, linksFrom } from './markdown.ts';

/** Renders one guide as a page. */
export function guidePage({
  guide,
  drawn,
  contents,
  version,
  assetUrl,
  searchIndex,
}: {
  guide: Guide;
  drawn: DrawnGuide;
  contents: readonly GuideGroup[];
  version: string;
  assetUrl: AssetUrl;
  searchIndex: string;
}): string {
  const { title, lead, sections } = drawn;
  return shell({
    title: `${title} · Parley`,
    description: `${title}: a guide to Parley.`,
    assetUrl,
    styles: ['guides.css', 'phone.css'],
    bar: siteBar({ assetUrl, version, here: 'guides' }),
    navigation: navigation(contents, guide, sections),
    searchIndex,
    content: html`<article class="guide">
<h1>${title}</h1>
${lead}
${sections.map(drawSection)}
${neighbours(contents, guide)}
</article>`,
  }).toString();
}

function drawSection({ id, title, body }: DrawnSection): Html {
  return html`<section id="${id}" data-entry="${title}">
<h2><a class="heading-link" href="#${id}">${title}</a></h2>
${body}</section>
`;
}

/** Navigation: all guides, and the sections of the current one. */
function navigation(contents: readonly GuideGroup[], shown: Guide, sections: readonly DrawnSection[]): Html {
  return html`${contents.map(
    ({ title, guides }) => html`<details class="nav-group" open>
<summary>${title}</summary>
<ul>${guides.map((guide) =>
      guide.file === shown.file
        ? shownItem(guide, sections)
        : html`<li><a href="${guide.path}"><span>${guide.title}</span></a></li>
`,
    )}</ul>
</details>
`,
  )}`;
}

function shownItem({ path, title }: Guide, sections: readonly DrawnSection[]): Html {
  return html`<li><a href="${path}" aria-current="page"><span>${title}</span></a>
<ul>${sections.map(
    (section) => html`<li><a href="#${section.id}"><span>${section.title}</span></a></li>
`,
  )}</ul></li>
`;
}

function neighbours(contents: readonly GuideGroup[], guide: Guide): Html {
  const all = [INDEX_GUIDE, ...contents.flatMap(({ guides }) => guides)];
  const place = all.findIndex(({ file }) => file === guide.file);
  if (place === -1) return html``;
  const [previous, next] = [all[place - 1], all[place + 1]];
  return html`<nav class="neighbours" aria-label="Neighbouring guides">${
    previous && html`<a href="${previous.path}"><small>Before this</small>${previous.title}</a>`
  }${next && html`<a class="next" href="${next.path}"><small>Next</small>${next.title}</a>`}</nav>`;
}

export function drawGuideFile({ file }: Guide, pages: ReadonlySet<string>): DrawnGuide {
  return drawGuide(readGuide(file), linksFrom(file, pages));
}
