import { onOneLine } from '@parley/contract/plain';

/** One line of a mail. Made by `line` alone, so that nothing is in it that could begin another. */
export interface LetterLine {
  readonly line: string;
}

/** Plain text: nothing in it can hide where a link leads. */
export interface Letter {
  readonly to: string;
  readonly subject: LetterLine;
  /** Paragraphs, each of one line or of several. */
  readonly text: readonly (LetterLine | readonly LetterLine[])[];
}

/** What others have named stands in our words as a name, whatever is in it: no line break begins a paragraph of its own. */
export function line(words: TemplateStringsArray, ...values: readonly (string | number)[]): LetterLine {
  return { line: String.raw({ raw: words }, ...values.map((value) => onOneLine(String(value)))) };
}

export function textOf({ text }: Pick<Letter, 'text'>): string {
  return text
    .map((paragraph) =>
      [paragraph]
        .flat()
        .map((each) => each.line)
        .join('\n'),
    )
    .join('\n\n');
}
