import type { Invoice } from '@parley/contract';
import { expect, it } from 'vitest';
import { encode, widthOf, wrap } from './document.ts';
import { invoicePdf } from './invoice-pdf.ts';

const INVOICE: Invoice = {
  invoice_id: 'inv_1',
  account_id: 'acc_1',
  phone: '15550001001',
  plan: 'pro',
  period_start: '2026-01-01T00:00:00.000Z',
  period_end: '2026-02-01T00:00:00.000Z',
  quota: 10_000,
  used: 42,
  issued_at: '2026-02-01T00:00:00.000Z',
  number: 'R-00001',
  status: 'open',
  currency: 'EUR',
  net: 1_900,
  tax_percent: 19,
  tax: 361,
  total: 2_261,
  lines: [{ description: 'Plan Pro for +15550001001, 1 Jan 2026 – 1 Feb 2026', amount: 1_900 }],
  due_at: '2026-02-15T00:00:00.000Z',
  paid_at: null,
  payment_reference: null,
  seller: { name: 'Häfen & Söhne (GmbH)', address: 'Kai 1\n20457 Hamburg', tax_id: 'DE1', email: '' },
  buyer: { name: 'Łódź Książki', address: '', tax_id: '', email: 'ada@example.com' },
  note: 'Pay within 14 days.',
};

/** What stands on its pages, line by line. */
function textsOf(file: Buffer): string[] {
  const shown = file.toString('latin1').matchAll(/<([0-9a-f]*)> Tj/g);
  return [...shown].map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')));
}

it('an invoice on paper says what it asks for, of whom, and until when', () => {
  const texts = textsOf(invoicePdf(INVOICE));
  for (const expected of [
    ...['Invoice R-00001', 'Häfen & Söhne (GmbH)', '20457 Hamburg', 'ada@example.com', '15 Feb 2026'],
    ...['EUR 19.00', 'Tax 19 %', 'EUR 3.61', 'EUR 22.61', 'Pay within 14 days.'],
    'Plan Pro for +15550001001, 1 Jan 2026 – 1 Feb 2026',
    '42 of 10,000 included messages were sent in this period.',
  ])
    expect(texts).toContain(expected);
});

it('one that asks for nothing says so', () => {
  const free = {
    ...INVOICE,
    number: null,
    currency: null,
    net: null,
    tax: null,
    total: null,
    lines: [],
    note: '',
  };
  const texts = textsOf(invoicePdf(free));
  expect(texts[0]).toBe('Usage statement');
  expect(texts.join(' ')).toContain('Nothing is to be paid.');
  expect(texts.join(' ')).not.toContain('EUR');
});

it('readers find every object where the table says, on as many pages as it takes', () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({ description: `Line ${index}`, amount: 1 }));
  const file = invoicePdf({ ...INVOICE, lines }).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  expect(file.slice(start, start + 4)).toBe('xref');
  const places = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at));
  for (const [index, at] of places.entries())
    expect(file.slice(at).startsWith(`${index + 1} 0 obj\n`)).toBe(true);
  expect(file).toContain(`/Size ${places.length + 1}`);
  expect(file.match(/\/Type \/Page /g)).toHaveLength(3);
  for (const [, length = '', content = ''] of file.matchAll(/<< \/Length (\d+) >>\nstream\n(.*?)endstream/gs))
    expect(content).toHaveLength(Number(length));
});

it('characters that the fonts lack lose their accents, or become question marks; long lines are broken', () => {
  expect(new TextDecoder('windows-1252').decode(encode('Ħ€–š ő Ł 日本'))).toBe('?€–š o ? ??');
  expect(widthOf('EUR', 'regular', 10)).toBeCloseTo((667 + 722 + 722) / 100);
  expect(wrap('one two three', 'regular', 10, widthOf('one two', 'regular', 10))).toEqual([
    'one two',
    'three',
  ]);
});
