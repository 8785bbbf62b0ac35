import { highlight, type Language } from './highlight.ts';
import { type Child, type Html, html } from './html.ts';
import type { Field, Variant } from './model/fields.ts';
import { inline, prose } from './prose.ts';

/** Code in a frame. The script adds a copy button. */
export function panel({
  title,
  language,
  code,
  marks,
}: {
  title: Child;
  language: Language;
  code: string;
  /** Attributes for the scripts. */
  marks?: Child;
}): Html {
  return html`<figure class="panel" data-copyable${marks}>
<figcaption>${title}</figcaption>
<pre><code>${highlight(language, code)}</code></pre>
</figure>`;
}

/** Code in several languages: one below the other, until the script turns them into tabs. */
export function panelTabs(label: string, panels: readonly Html[]): Html {
  return html`<div class="tabs" data-tabs="${label}">${panels}</div>`;
}

export function jsonPanel(title: Child, value: unknown): Html {
  return panel({ title, language: 'json', code: JSON.stringify(value, null, 2) });
}

export function table(head: readonly string[], rows: readonly (readonly Child[])[]): Html {
  return html`<div class="table"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table></div>`;
}

/** An HTTP status in the colour of its class: success, client error, server error. */
export function statusBadge(status: number | '5xx'): Html {
  return html`<span class="status status-${familyOf(String(status))}">${status}</span>`;
}

function familyOf(status: string): string {
  if (status.startsWith('2')) return 'ok';
  return status.startsWith('5') ? 'server' : 'caller';
}

/** The exception that a field list marks: required fields of a request, optional ones of an answer. */
type Direction = 'request' | 'answer';

/** A titled list of fields, or nothing when it is empty. */
export function fieldGroup(title: string, fields: readonly Field[], direction: Direction): Html {
  return fields.length === 0
    ? html``
    : html`<section class="field-group"><h4>${title}</h4>${fieldList(fields, direction)}</section>`;
}

/** Fields with all their constraints; nested fields are indented. */
function fieldList(fields: readonly Field[], direction: Direction): Html {
  return html`<ul class="fields">${fields.map(
    (field) => html`<li>${head(field, direction)}${about(field)}${parts(field, direction)}</li>
`,
  )}</ul>`;
}

function head({ name, type, required }: Field, direction: Direction): Html {
  return html`<p class="field-head"><code class="field-name">${name}</code> <span class="type">${type}</span> ${
    direction === 'request'
      ? required && html`<span class="required">required</span>`
      : !required && html`<span class="optional">not always present</span>`
  }</p>`;
}

function about({ description, constraints, sectionId }: Field): Html {
  const rules = constraints.map((constraint, index) => html`${index > 0 && '; '}${inline(constraint)}`);
  return html`${description && prose(description)}${
    sectionId && html`<p>Any of the <a href="#${sectionId}">events</a>.</p>`
  }${rules.length > 0 && html`<p class="constraints">${rules}</p>`}`;
}

function parts({ fields, variants }: Field, direction: Direction): Html {
  return html`${fields.length > 0 && fieldList(fields, direction)}${variants.map((variant) =>
    variantDetails(variant, direction),
  )}`;
}

function variantDetails({ name, description, fields }: Variant, direction: Direction): Html {
  return html`<details class="variant"><summary><code>${name}</code> ${description && inline(description)}</summary>
${fieldList(fields, direction)}</details>`;
}

/** Model of the reference: sections of entries. Navigation and text are rendered from it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly lead: Child;
  readonly entries: readonly Entry[];
}

/** One entry, with text on one side and code on the other. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
  readonly text: Child;
  readonly samples?: Child;
  /** Parts of the entry with an address of their own. */
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
