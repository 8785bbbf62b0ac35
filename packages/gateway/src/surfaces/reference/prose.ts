import { type Html, html } from './html.ts';

/** The contract's descriptions: paragraphs, line breaks, and code between backticks. */
export function prose(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${lines(paragraph)}</p>`);
}

function lines(paragraph: string): Html[] {
  return paragraph.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${inline(line)}`);
}

export function inline(text: string): (Html | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** `a, b and c` */
export function enumerate(items: readonly string[], word = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `10,000`. Not `toLocaleString`, whose first call in a process loads all locale data at every start. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `300` → `5 minutes` */
export function duration(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds % each === 0) ?? [1, 'second'];
  const number = seconds / size;
  return `${count(number)} ${unit}${number === 1 ? '' : 's'}`;
}

const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
] as const;

export function megabytes(bytes: number): string {
  return `${bytes / 1024 ** 2} MB`;
}
