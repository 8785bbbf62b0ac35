import { invalid } from './refusals.ts';

/** What a client wrote, field by field; a field of another type is refused in this interface's way. */
export type Fields = Readonly<Record<string, unknown>>;

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

/** A person or a group as `/v1` takes it: `number` here is digits in any spelling, or an address. */
export function addressOf(written: string): string {
  return written.includes('@')
    ? written.replace(/@c\.us$/, '@s.whatsapp.net')
    : written.replaceAll(/[^\d]/g, '');
}

/** The same as an address of the network. */
export function jidOf(written: string): string {
  const address = addressOf(written);
  return address.includes('@') ? address : `${address}@s.whatsapp.net`;
}
