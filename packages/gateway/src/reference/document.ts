import { type Child, type Html, html } from './html.ts';

/** The reference before it is a page: sections of entries. Navigation and text are both drawn from it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly lead: Child;
  readonly entries: readonly Entry[];
}

/** One thing to look up, with words on one side and code on the other. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
  readonly text: Child;
  readonly samples?: Child;
  /** Parts of it that deserve an address of their own. */
  readonly parts?: readonly Entry[];
}

export function drawSection({ id, title, lead, entries }: Section): Html {
  return html`<section class="section" aria-labelledby="${id}">
<header class="section-head"><h2 id="${id}">${headingLink(id, title)}</h2>
<div class="lead">${lead}</div></header>
${entries.map((entry) => drawEntry(entry))}
</section>
`;
}

function drawEntry({ id, title, text, samples, parts = [] }: Entry, isPart = false): Html {
  const link = headingLink(id, title);
  return html`<article class="entry${isPart && ' part'}" id="${id}" data-entry="${title}">
<div class="text">${isPart ? html`<h4 class="part-title">${link}</h4>` : html`<h3>${link}</h3>`}
${text}</div>
${samples && html`<div class="samples">${samples}</div>`}
</article>
${parts.map((part) => drawEntry(part, true))}`;
}

function headingLink(id: string, title: string): Html {
  return html`<a class="heading-link" href="#${id}">${title}</a>`;
}

export function drawNavigation(sections: readonly Section[]): Html {
  return html`${sections.map(
    (
      { id, title, entries },
      index,
    ) => html`<details class="nav-group" name="contents"${index === 0 && html` open`}>
<summary>${title}</summary>
<ul>${entries.length === 0 ? navItem({ id, title }) : entries.map(navItem)}</ul>
</details>
`,
  )}`;
}

function navItem({ id, title, method, parts = [] }: Pick<Entry, 'id' | 'title' | 'method' | 'parts'>): Html {
  return html`<li><a href="#${id}"><span>${title}</span>${method && methodBadge(method)}</a>${
    parts.length > 0 && html`<ul>${parts.map(navItem)}</ul>`
  }</li>
`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`;
}
