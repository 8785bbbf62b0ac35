import type { proto } from 'baileys';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundedId, boundedSeconds, boundedText } from './bounds.ts';
import { readHead, readReceipts, toMessageEvent } from './index.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const ADA = '15550002001@s.whatsapp.net';

/** Text of a hostile client: any code unit, lone surrogates and U+0000 included. */
const anything = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom('\u0000', '\ud800', 'x'.repeat(300_000), 'Infinity', '1e300', '-1', ''),
);

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};

function expectStorable(event: object): void {
  for (const text of strings(event)) {
    expect(text.includes('\u0000')).toBe(false);
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeLessThanOrEqual(131_072);
  }
}

describe('values from strangers', () => {
  test('become an event that every database can store, or none', () => {
    fc.assert(
      fc.property(anything, anything, anything, anything, anything, (id, t, notify, text, from) => {
        const address = from.length % 2 ? `${from}@s.whatsapp.net` : ADA;
        const head = readHead({ id, t, notify, from: address }, me);
        const messages: proto.IMessage[] = [
          {
            extendedTextMessage: {
              text,
              contextInfo: { stanzaId: id, quotedMessage: { conversation: text } },
            },
          },
          { documentMessage: { fileName: text, caption: text, mimetype: text } },
          { reactionMessage: { key: { id }, text } },
          { pollCreationMessage: { name: text, options: [{ optionName: text }] } },
          { buttonsResponseMessage: { selectedButtonId: text, selectedDisplayText: text } },
          { interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: text } } },
          { locationMessage: { degreesLatitude: Number.NaN, name: text, address: text } },
        ];
        for (const message of messages) {
          const event = head && toMessageEvent(message, head);
          if (!event) continue;
          expectStorable({ ...event, content: { ...event.content, media: undefined } });
          expect(event.id.length).toBeLessThan(1_000);
          expect(Number.isSafeInteger(event.timestamp)).toBe(true);
        }
      }),
    );
  });

  test('are bounded in receipts, too', async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, anything, async (id, t, from) => {
        const attrs = { id, t, from: `${from}@s.whatsapp.net` };
        const receipts = await readReceipts({ tag: 'receipt', attrs }, me, async (jid) => jid);
        for (const receipt of receipts) {
          expectStorable(receipt);
          expect(receipt.id.length).toBeLessThan(1_000);
          expect(Number.isSafeInteger(receipt.timestamp * 1_000)).toBe(true);
        }
      }),
    );
  });

  test('stay unchanged where a usual client wrote them', () => {
    expect(boundedId('3EB0C767D097B7C14F5A')).toBe('3EB0C767D097B7C14F5A');
    expect(boundedText('Zoë 👋🏽\n\tline')).toBe('Zoë 👋🏽\n\tline');
    expect(boundedSeconds('1784365200')).toBe(1_784_365_200);
  });

  test('keep invalid ids distinct', () => {
    const long = (end: string) => boundedId(`${'a'.repeat(8_000)}${end}`);
    expect(long('1')).not.toBe(long('2'));
    expect(long('1')).toBe(long('1'));
    expect(boundedId('\ud800')).not.toBe(boundedId('\ud801'));
  });
});
