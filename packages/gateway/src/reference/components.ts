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
  /** For the scripts. */
  marks?: Child;
}): Html {
  return html`<figure class="panel" data-copyable${marks}>
<figcaption>${title}</figcaption>
<pre><code>${highlight(language, code)}</code></pre>
</figure>`;
}

/** The same in several languages: one below the other, until the script makes tabs of them. */
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

/** An HTTP status in the colour of its family: success, the caller's mistake, the server's. */
export function statusBadge(status: number | '5xx'): Html {
  return html`<span class="status status-${familyOf(String(status))}">${status}</span>`;
}

function familyOf(status: string): string {
  if (status.startsWith('2')) return 'ok';
  return status.startsWith('5') ? 'server' : 'caller';
}

/** What a reader must be told: of a request which fields are needed, of an answer which ones may be absent. */
type Direction = 'request' | 'answer';

/** A titled list of fields, or nothing where there are none. */
export function fieldGroup(title: string, fields: readonly Field[], direction: Direction): Html {
  return fields.length === 0
    ? html``
    : html`<section class="field-group"><h4>${title}</h4>${fieldList(fields, direction)}</section>`;
}

/** Fields with everything that is true of them; parts of a field stand indented below it. */
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

function about({ description, constraints, toldAt }: Field): Html {
  const rules = constraints.map((constraint, index) => html`${index > 0 && '; '}${inline(constraint)}`);
  return html`${description && prose(description)}${
    toldAt && html`<p>Any of the <a href="#${toldAt}">events</a>.</p>`
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
