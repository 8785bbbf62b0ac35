import { onOneLine } from '@parley/contract/plain';

/** One line of a mail. Only `line` creates it, so that it contains no line break. */
export interface MailLine {
  readonly line: string;
}

/** Plain text: it cannot hide the target of a link. */
export interface Mail {
  readonly to: string;
  readonly subject: MailLine;
  /** Paragraphs of one or more lines. */
  readonly text: readonly (MailLine | readonly MailLine[])[];
}

/** Inserts names chosen by others as plain text on this line: a line break in them begins no paragraph. */
export function line(words: TemplateStringsArray, ...values: readonly (string | number)[]): MailLine {
  return { line: String.raw({ raw: words }, ...values.map((value) => onOneLine(String(value)))) };
}

export function textOf({ text }: Pick<Mail, 'text'>): string {
  return text
    .map((paragraph) =>
      [paragraph]
        .flat()
        .map((each) => each.line)
        .join('\n'),
    )
    .join('\n\n');
}
