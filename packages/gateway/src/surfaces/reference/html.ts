/** Escaped markup. Only `html` creates it, so all other values are escaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values of a template; `undefined` and `false` render nothing. */
export type Child = Html | string | number | undefined | false | readonly Child[];

export function html(strings: TemplateStringsArray, ...children: Child[]): Html {
  return new Html(String.raw({ raw: strings }, ...children.map(markupOf)));
}

function markupOf(child: Child): string {
  if (child === undefined || child === false) return '';
  if (child instanceof Html) return child.toString();
  if (typeof child === 'object') return child.map(markupOf).join('');
  return String(child).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
