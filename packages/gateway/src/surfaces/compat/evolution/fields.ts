import {
  BUTTON_ID_MAX_LENGTH,
  ID_MAX_LENGTH,
  NAME_MAX_LENGTH,
  oneLine,
  severalLines,
  URL_MAX_LENGTH,
} from '@parley/contract';
import Type from 'typebox';
import { invalid } from './refusals.ts';

/** Schemas for the bodies of this interface. Unknown fields are ignored, as in the original. */

/** Text of one line. */
export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...oneLine });
export const OptionalText = (maxLength: number) => Type.Optional(Type.String({ maxLength, ...oneLine }));
/** Text that may have several lines. */
export const Lines = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...severalLines });
export const OptionalLines = (maxLength: number) =>
  Type.Optional(Type.String({ maxLength, ...severalLines }));

/** A person or a group: digits in any spelling, or an address. */
export const Address = Text(ID_MAX_LENGTH);
export const OptionalAddress = Type.Optional(Address);
export const Addresses = (maxItems: number) => Type.Array(Address, { minItems: 1, maxItems });
export const Id = Text(ID_MAX_LENGTH);
export const OptionalId = OptionalText(ID_MAX_LENGTH);
export const Name = Text(NAME_MAX_LENGTH);
export const OptionalName = OptionalText(NAME_MAX_LENGTH);
export const Url = Text(URL_MAX_LENGTH);
export const OptionalUrl = OptionalText(URL_MAX_LENGTH);
export const RowId = Lines(BUTTON_ID_MAX_LENGTH);
export const OptionalFlag = Type.Optional(Type.Boolean());

/** Message key. */
export const MessageKey = Type.Object({
  remoteJid: Address,
  id: Id,
  fromMe: OptionalFlag,
  participant: OptionalAddress,
});

/** Limit for requests without a body. */
export const NO_BODY_BYTES = 4 * 1024;
/** Limit for bodies without a file. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** Reads the fields of a request; a field of another type is refused as this interface does. */
type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw invalid(`${name} is not of a type(s) string`);
  return value;
}

/** Recipient as `/v1` takes it. `number` is digits in any spelling, or an address. */
export function addressOf(written: string): string {
  return written.includes('@')
    ? written.replace(/@c\.us$/, '@s.whatsapp.net')
    : written.replaceAll(/[^\d]/g, '');
}

/** Recipient as an address of the network. */
export function jidOf(written: string): string {
  const address = addressOf(written);
  return address.includes('@') ? address : `${address}@s.whatsapp.net`;
}
