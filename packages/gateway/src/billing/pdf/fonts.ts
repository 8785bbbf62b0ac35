/** Two of the fonts that every reader of PDFs has: Helvetica, with the letters of Windows-1252. */
export const FONT_NAMES = ['regular', 'bold'] as const;
export type FontName = (typeof FONT_NAMES)[number];

/** Widths of the letters from the space to the tilde, in thousandths of the size, as Adobe measured them. */
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
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((letter, index) => {
    const bytes = [
      ...[0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93],
      ...[0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f],
    ];
    return [letter, bytes[index] ?? QUESTION_MARK];
  }),
);
const QUESTION_MARK = 0x3f;

/** The bytes of a text. A letter that the fonts lack loses its accents, and becomes a question mark where that does not help. */
export function encode(text: string): Buffer {
  return Buffer.from([...text.normalize('NFC')].map(byteOf));
}

function byteOf(letter: string): number {
  const known = BEYOND_LATIN1.get(letter) ?? latin1Of(letter);
  if (known !== undefined) return known;
  return latin1Of(plain(letter)) ?? QUESTION_MARK;
}

function latin1Of(letter: string): number | undefined {
  const code = letter.codePointAt(0) ?? 0;
  const isDrawn = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff);
  return isDrawn ? code : undefined;
}

/** Without its accents. */
function plain(letter: string): string {
  return [...letter.normalize('NFKD')][0] ?? '';
}

export function widthOf(text: string, font: FontName, size: number): number {
  const thousandths = [...text].reduce((sum, letter) => {
    const code = plain(letter).codePointAt(0) ?? 0;
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
