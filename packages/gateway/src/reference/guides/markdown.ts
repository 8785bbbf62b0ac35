import { lexer, type Token, type Tokens } from 'marked';
import { panelTabs, table } from '../components.ts';
import { type Html, html } from '../html.ts';
import { codeBlock, standsInTabs } from './code-block.ts';
import { drawInline, type LinkTarget, plainText } from './inline.ts';

/** A guide before it is a page. */
export interface DrawnGuide {
  readonly title: string;
  /** What stands before the first heading. */
  readonly lead: Html;
  readonly sections: readonly DrawnSection[];
}

export interface DrawnSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  /** Its words alone, for the search. */
  readonly text: string;
}

/** Draws Markdown with the parts that the reference is made of. Markup inside the Markdown stays text. */
export function drawGuide(markdown: string, target: LinkTarget): DrawnGuide {
  const slug = createSlugger();
  const tokens = lexer(markdown);
  const title = tokens.find((token) => isHeading(token, 1));
  const titleText = title ? plainText(title) : '';
  slug(titleText);
  const [lead = [], ...sections] = splitBefore(
    tokens.filter((token) => token !== title),
    (token) => isHeading(token, 2),
  );
  const draw = (part: readonly Token[]) => drawBlocks(part, { slug, target });
  return {
    title: titleText,
    lead: draw(lead),
    sections: sections.map(([heading, ...body]) => {
      const text = heading ? plainText(heading) : '';
      // Before its body, which has headings of its own: anchors are numbered in the order of the page.
      const id = slug(text);
      return { id, title: text, body: draw(body), text: body.map(plainText).join(' ') };
    }),
  };
}

interface BlockContext {
  readonly slug: (heading: string) => string;
  readonly target: LinkTarget;
}

function drawBlocks(tokens: readonly Token[], context: BlockContext): Html {
  const visible = tokens.filter(({ type }) => type !== 'space');
  const runs = splitBefore(
    visible,
    (token, previous) => !(standsInTabs(token) && previous !== undefined && standsInTabs(previous)),
  );
  return html`${runs.map((run) =>
    run.length > 1
      ? panelTabs(
          'Language',
          run.map((token) => drawBlock(token, context)),
        )
      : run.map((token) => drawBlock(token, context)),
  )}`;
}

function drawBlock(token: Token, context: BlockContext): Html {
  const { slug, target } = context;
  const inline = (tokens: readonly Token[] = []) => drawInline(tokens, target);
  switch (token.type) {
    case 'heading': {
      const id = slug(plainText(token));
      return html`<h3 id="${id}"><a class="heading-link" href="#${id}">${inline(token.tokens)}</a></h3>
`;
    }
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>
`;
    case 'text':
      return token.tokens ? inline(token.tokens) : html`${token.text}`;
    case 'code':
      return codeBlock(token as Tokens.Code);
    case 'blockquote':
      return html`<div class="note">${drawBlocks(token.tokens ?? [], context)}</div>
`;
    case 'list':
      return drawList(token as Tokens.List, context);
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return table(
        header.map((cell) => cell.text),
        rows.map((row) => row.map((cell) => inline(cell.tokens))),
      );
    }
    case 'hr':
      return html`<hr>
`;
    default:
      return html`<p>${token.raw}</p>
`;
  }
}

function drawList({ ordered, items }: Tokens.List, context: BlockContext): Html {
  const drawn = items.map(
    (item) => html`<li>${item.task && checkBox(item)}${drawBlocks(withoutBoxes(item), context)}</li>
`,
  );
  return ordered
    ? html`<ol>${drawn}</ol>
`
    : html`<ul>${drawn}</ul>
`;
}

function checkBox({ checked }: Tokens.ListItem): string {
  return checked ? '☑ ' : '☐ ';
}

function withoutBoxes({ tokens }: Tokens.ListItem): Token[] {
  return tokens.filter(({ type }) => type !== 'checkbox');
}

function isHeading(token: Token, depth: number): boolean {
  return token.type === 'heading' && token.depth === depth;
}

/** Cuts before every item of which that is true; what stands before the first cut is the first part. */
function splitBefore<T>(items: readonly T[], cuts: (item: T, previous: T | undefined) => boolean): T[][] {
  const parts: T[][] = [[]];
  for (const [index, item] of items.entries()) {
    if (cuts(item, items[index - 1])) parts.push([]);
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** Anchors as GitHub makes them, so that a link works there and here. One slugger per page: a second heading of the same words gets a number. */
export function createSlugger(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = taken.get(slug) ?? 0;
    taken.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}
