export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

const LONGEST_NAME = 255;

const ESSENCE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,127}$/i;
const PARAMETER = /^[\w-]{1,32}=[\w.+,"-]{1,64}$/;
const MOST_PARAMETERS = 3;

/** Whether this is a media type as HTTP writes it, so that it may stand in a header. */
export function isMediaType(type: string): boolean {
  const [essence = '', ...parameters] = type.split(';');
  return (
    ESSENCE.test(essence.trimEnd()) &&
    parameters.length <= MOST_PARAMETERS &&
    parameters.every((parameter) => PARAMETER.test(withoutBlanks(parameter)))
  );
}

/** A media type that somebody else chose, as far as it is one: without parameters that are none, or the type of unknown bytes. */
export function safeMediaType(type: string): string {
  const trimmed = withoutBlanks(type);
  if (isMediaType(trimmed)) return trimmed;
  const essence = withoutBlanks(trimmed.split(';', 1)[0] ?? '');
  return ESSENCE.test(essence) ? essence : UNKNOWN_MEDIA_TYPE;
}

/** A blank or a tab; line breaks are none that a header could hold. */
function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

function isBlank(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\t';
}

/** What breaks a line, ends a text early, or turns the direction of writing, which hides what a name ends with. */
const TREACHEROUS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A file name that somebody else chose, as it may stand in a header, on a page and in a folder; empty when nothing is left of it. */
export function safeFileName(name: string): string {
  const line = name.toWellFormed().replaceAll(TREACHEROUS, '').replaceAll(/[/\\]/g, '_').trim();
  // The cut may leave half a character.
  const plain = line.slice(0, LONGEST_NAME).toWellFormed();
  return plain === '.' || plain === '..' ? '' : plain;
}
