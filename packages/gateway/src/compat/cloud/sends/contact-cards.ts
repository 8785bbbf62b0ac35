import { phoneDigits } from '@parley/contract';
import { type Fields, isObject, objectIn, requiredText, textIn } from '../fields.ts';
import { invalid } from '../graph-error.ts';

/** A contact of the Graph API as a vCard. */
export function cardOf(contact: Fields, path: string): { display_name: string; vcard: string } {
  const name = objectIn(contact, 'name', `${path}['name']`);
  const text = (field: string): string => escaped(textIn(name, field, `${path}['name']['${field}']`) ?? '');
  const formatted = requiredText(name, 'formatted_name', `${path}['name']['formatted_name']`);
  const given = text('first_name');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${text('last_name')};${given === '' ? escaped(formatted) : given};${text('middle_name')};${text('prefix')};${text('suffix')}`,
    `FN:${escaped(formatted)}`,
    ...listIn(contact, 'phones', path).flatMap(phoneLine),
    ...listIn(contact, 'emails', path).flatMap((email) => typedLine('EMAIL', email, textIn(email, 'email'))),
    ...listIn(contact, 'urls', path).flatMap((url) => typedLine('URL', url, textIn(url, 'url'))),
    ...listIn(contact, 'addresses', path).flatMap(addressLine),
    ...organisationLines(contact, path),
    ...valueLine('BDAY', textIn(contact, 'birthday', `${path}['birthday']`)),
    'END:VCARD',
  ];
  return { display_name: formatted, vcard: lines.join('\n') };
}

function listIn(contact: Fields, name: string, path: string): Fields[] {
  const list = contact[name];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isObject))
    throw invalid(`Param ${path}['${name}'] must be an array of JSON objects.`);
  return list;
}

/** With `waid` a phone offers to write to the number. */
function phoneLine(phone: Fields): string[] {
  const written = textIn(phone, 'phone') ?? textIn(phone, 'wa_id');
  if (written === undefined) return [];
  const waId = textIn(phone, 'wa_id') ?? phoneDigits(written) ?? undefined;
  const type = typeOf(phone) ?? 'CELL';
  return [`TEL;TYPE=${type}${waId === undefined ? '' : `;waid=${bare(waId)}`}:${escaped(written)}`];
}

function addressLine(address: Fields): string[] {
  const part = (field: string): string => escaped(textIn(address, field) ?? '');
  const parts = ['street', 'city', 'state', 'zip', 'country'].map(part);
  if (parts.every((each) => each === '')) return [];
  return [`ADR;TYPE=${typeOf(address) ?? 'HOME'}:;;${parts.join(';')}`];
}

function organisationLines(contact: Fields, path: string): string[] {
  if (contact.org === undefined || contact.org === null) return [];
  const org = objectIn(contact, 'org', `${path}['org']`);
  const [company, department] = [textIn(org, 'company'), textIn(org, 'department')];
  const unit = [company, department].flatMap((each) => (each === undefined ? [] : [escaped(each)]));
  return [...(unit.length > 0 ? [`ORG:${unit.join(';')}`] : []), ...valueLine('TITLE', textIn(org, 'title'))];
}

function typedLine(name: string, fields: Fields, value: string | undefined): string[] {
  const type = typeOf(fields);
  return valueLine(type === undefined ? name : `${name};TYPE=${type}`, value);
}

function valueLine(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}:${escaped(value)}`];
}

function typeOf(fields: Fields): string | undefined {
  const type = bare(textIn(fields, 'type') ?? '').toUpperCase();
  return type === '' ? undefined : type;
}

/** For parameters, which cannot be escaped. */
function bare(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9-]/g, '');
}

/** So that no value ends its line or its card. */
function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (letter) => `\\${letter}`).replaceAll(/\r\n|\r|\n/g, '\\n');
}
