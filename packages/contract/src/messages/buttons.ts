import Type, { type Static, type TObject } from 'typebox';
import {
  BUTTON_COPY_CODE_MAX_LENGTH,
  BUTTON_ID_MAX_LENGTH,
  BUTTON_TEXT_MAX_LENGTH,
  SELECT_ROW_DESCRIPTION_MAX_LENGTH,
  SELECT_ROWS_MAX,
  SELECT_SECTIONS_MAX,
} from '../limits.ts';
import { HttpUrl } from '../primitives.ts';
import { closed, EXPECTS, lines, severalLines } from '../schema.ts';
import { compileParse } from '../validate/compile.ts';
import { complaint, fieldPath, type Parsed, refused } from '../validate/complaint.ts';
import { isObject } from '../validate/explain.ts';
import { dropEmptyOptionals } from '../validate/tidy.ts';
import { fieldsOfAll, pickOwn, strangerIn } from '../validate/variants.ts';

const display_text = lines(BUTTON_TEXT_MAX_LENGTH);

const Row = closed({
  id: lines(BUTTON_ID_MAX_LENGTH),
  title: lines(BUTTON_TEXT_MAX_LENGTH),
  description: Type.Optional(Type.String({ maxLength: SELECT_ROW_DESCRIPTION_MAX_LENGTH, ...severalLines })),
});
const Section = closed({
  title: lines(BUTTON_TEXT_MAX_LENGTH),
  rows: Type.Array(Row, { minItems: 1, maxItems: SELECT_ROWS_MAX }),
});

const schemas = {
  quick_reply: closed(
    { type: Type.Literal('quick_reply'), display_text, id: lines(BUTTON_ID_MAX_LENGTH) },
    { title: 'QuickReplyButton', description: 'Quick answer; the `id` comes back in a `message` event.' },
  ),
  cta_url: closed(
    { type: Type.Literal('cta_url'), display_text, url: HttpUrl },
    { title: 'UrlButton', description: 'Opens a link.' },
  ),
  cta_copy: closed(
    { type: Type.Literal('cta_copy'), display_text, copy_code: lines(BUTTON_COPY_CODE_MAX_LENGTH) },
    { title: 'CopyButton', description: 'Copies text to the clipboard.' },
  ),
  cta_call: closed(
    {
      type: Type.Literal('cta_call'),
      display_text,
      phone_number: Type.String({
        pattern: '^\\+?[0-9][0-9 ().\\-]{3,24}$',
        examples: ['+15550001001'],
        [EXPECTS]: 'a phone number such as +15550001001',
      }),
    },
    { title: 'CallButton', description: 'Dials a number.' },
  ),
  single_select: closed(
    {
      type: Type.Literal('single_select'),
      display_text,
      sections: Type.Array(Section, { minItems: 1, maxItems: SELECT_SECTIONS_MAX }),
    },
    { title: 'SelectButton', description: 'Opens a list to choose from.' },
  ),
} as const satisfies Record<string, TObject>;

export type ButtonType = keyof typeof schemas;

export const Button = Type.Union([
  schemas.quick_reply,
  schemas.cta_url,
  schemas.cta_copy,
  schemas.cta_call,
  schemas.single_select,
]);
export type Button = Static<typeof Button>;

const known = fieldsOfAll(Object.values(schemas));
const parsers: Record<ButtonType, (value: unknown, path: string) => Parsed<Button>> = {
  quick_reply: compileParse(schemas.quick_reply),
  cta_url: compileParse(schemas.cta_url),
  cta_copy: compileParse(schemas.cta_copy),
  cta_call: compileParse(schemas.cta_call),
  single_select: compileParse(schemas.single_select),
};

export function parseButton(item: unknown, path: string): Parsed<Button> {
  if (!isObject(item)) return refused(complaint(path, `${path} must be a JSON object`));
  const stranger = strangerIn(known, item, path);
  if (stranger !== null) return refused(stranger);
  const { type } = item;
  if (!isButtonType(type)) {
    const field = fieldPath(path, 'type');
    return refused(complaint(field, `${field} must be one of ${Object.keys(schemas).join(', ')}`));
  }
  return parsers[type](dropEmptyOptionals(schemas[type], pickOwn(schemas[type], item)), path);
}

function isButtonType(type: unknown): type is ButtonType {
  return typeof type === 'string' && Object.hasOwn(schemas, type);
}
