export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

const LONGEST_NAME = 255;

const ESSENCE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,127}$/i;
const PARAMETER = /^[\w-]{1,32}=[\w.+,"-]{1,64}$/;
const MOST_PARAMETERS = 3;

/** True for a media type in the syntax of HTTP, which is safe in a header. */
export function isMediaType(type: string): boolean {
  const [essence = '', ...parameters] = type.split(';');
  return (
    ESSENCE.test(essence.trimEnd()) &&
    parameters.length <= MOST_PARAMETERS &&
    parameters.every((parameter) => PARAMETER.test(withoutBlanks(parameter)))
  );
}

/** Sanitizes a media type from outside: drops invalid parameters; an invalid type becomes that of unknown bytes. */
export function safeMediaType(type: string): string {
  const trimmed = withoutBlanks(type);
  if (isMediaType(trimmed)) return trimmed;
  const essence = withoutBlanks(trimmed.split(';', 1)[0] ?? '');
  return ESSENCE.test(essence) ? essence : UNKNOWN_MEDIA_TYPE;
}

/** Removes spaces and tabs; line breaks cannot occur in a header. */
function withoutBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text[from])) from += 1;
  while (to > from && isBlank(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Line breaks, control characters, and bidirectional controls, which can hide the extension. */
const TREACHEROUS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Sanitizes a file name from outside for use in a header, on a page and in a folder; empty when nothing is left of it. */
export function safeFileName(name: string): string {
  const line = name.toWellFormed().replaceAll(TREACHEROUS, '').replaceAll(/[/\\]/g, '_').trim();
  // The cut may split a surrogate pair.
  const plain = line.slice(0, LONGEST_NAME).toWellFormed();
  return plain === '.' || plain === '..' ? '' : plain;
}
