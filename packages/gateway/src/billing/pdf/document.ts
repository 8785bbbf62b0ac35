import { encode, FONT_NAMES, type FontName, widthOf } from './fonts.ts';

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
