import { type Html, html } from '../html.ts';
import type { Field, Variant } from '../model/fields.ts';
import { inline, prose } from '../prose.ts';

/** What a reader must be told: of a request which fields are needed, of an answer which ones may be absent. */
export type Direction = 'request' | 'answer';

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
