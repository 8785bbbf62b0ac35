/** Text that is markup already. Only `html` makes it, so whatever comes from elsewhere is escaped on its way in. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What may stand in a template; `undefined` and `false` leave nothing behind. */
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
