/** A page of A4, in points, measured from its upper left corner. */
export const PAGE = { width: 595, height: 842 } as const;

interface Placing {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly font?: FontName;
  /** From black, 0, to white, 1. */
  readonly grey?: number;
  /** Where `x` is. */
  readonly align?: 'left' | 'right';
}

/** A document of text and lines on pages of A4, as PDF 1.4 writes it; enough for an invoice, and nothing else. */
export interface PdfDocument {
  text(words: string, placing: Placing): void;
  rule(y: number, fromX: number, toX: number): void;
  /** What follows stands on a new page. */
  breakPage(): void;
  finish(title: string): Buffer;
}

export function createPdf(): PdfDocument {
  const pages: string[] = [''];
  const draw = (operators: string): void => {
    pages[pages.length - 1] += `${operators}\n`;
  };

  return {
    text(words, { x, y, size = 10, font = 'regular', grey = 0, align = 'left' }) {
      const left = align === 'right' ? x - widthOf(words, font, size) : x;
      const key = `F${FONT_NAMES.indexOf(font) + 1}`;
      const at = `${left.toFixed(2)} ${(PAGE.height - y).toFixed(2)}`;
      draw(`BT ${grey} g /${key} ${size} Tf ${at} Td <${encode(words).toString('hex')}> Tj ET`);
    },
    rule(y, fromX, toX) {
      const level = (PAGE.height - y).toFixed(2);
      draw(`0.75 G 0.5 w ${fromX} ${level} m ${toX} ${level} l S`);
    },
    breakPage() {
      pages.push('');
    },
    finish: (title) => assemble(pages, title),
  };
}

const BASE_FONTS: Readonly<Record<FontName, string>> = { regular: 'Helvetica', bold: 'Helvetica-Bold' };

function assemble(pages: readonly string[], title: string): Buffer {
  const fonts = FONT_NAMES.map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${BASE_FONTS[name]} /Encoding /WinAnsiEncoding >>`,
  );
  // The catalogue, the list of pages, what is said of the document, and the fonts; then two for each page.
  const before = 3 + fonts.length;
  const kids = pages.map((_, index) => `${before + 1 + 2 * index} 0 R`).join(' ');
  const fontNames = fonts.map((_, index) => `/F${index + 1} ${4 + index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Title <${utf16(title)}> /Producer (Parley) >>`,
    ...fonts,
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${fontNames} >> >> /Contents ${before + 2 + 2 * index} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}endstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const start = file.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  // All of it is ASCII, so that places in the text are places in the file.
  return Buffer.from(file, 'latin1');
}

function utf16(text: string): string {
  return `feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}`;
}

/** Two of the fonts that every reader of PDFs has: Helvetica, with the characters of Windows-1252. */
const FONT_NAMES = ['regular', 'bold'] as const;
type FontName = (typeof FONT_NAMES)[number];

/** Widths of the characters from the space to the tilde, in thousandths of the size, as Adobe measured them. */
const WIDTHS: Readonly<Record<FontName, readonly number[]>> = {
  regular: widths(`
    278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556
    1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556
    333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584`),
  bold: widths(`
    278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611
    975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556
    333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584`),
};
const USUAL_WIDTH = 556;

/** What Windows-1252 has beyond Latin-1, by the byte. */
const BEYOND_LATIN1: ReadonlyMap<string, number> = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, index) => {
    const bytes = [
      ...[0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93],
      ...[0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f],
    ];
    return [character, bytes[index] ?? QUESTION_MARK];
  }),
);
const QUESTION_MARK = 0x3f;

/** The bytes of a text. A character that the fonts lack loses its accents, or becomes a question mark. */
export function encode(text: string): Buffer {
  return Buffer.from([...text.normalize('NFC')].map(byteOf));
}

function byteOf(character: string): number {
  const known = BEYOND_LATIN1.get(character) ?? latin1Of(character);
  if (known !== undefined) return known;
  return latin1Of(plain(character)) ?? QUESTION_MARK;
}

function latin1Of(character: string): number | undefined {
  const code = character.codePointAt(0) ?? 0;
  const isDrawn = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff);
  return isDrawn ? code : undefined;
}

/** Without its accents. */
function plain(character: string): string {
  return [...character.normalize('NFKD')][0] ?? '';
}

export function widthOf(text: string, font: FontName, size: number): number {
  const thousandths = [...text].reduce((sum, character) => {
    const code = plain(character).codePointAt(0) ?? 0;
    return sum + (WIDTHS[font][code - 0x20] ?? USUAL_WIDTH);
  }, 0);
  return (thousandths / 1_000) * size;
}

/** Broken between words, so that no line is wider; a word that alone is wider stays whole. */
export function wrap(text: string, font: FontName, size: number, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = [''];
    for (const word of paragraph.split(' ')) {
      const line = lines[lines.length - 1];
      const longer = line ? `${line} ${word}` : word;
      if (line && widthOf(longer, font, size) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  });
}

function widths(table: string): number[] {
  return table.trim().split(/\s+/).map(Number);
}
