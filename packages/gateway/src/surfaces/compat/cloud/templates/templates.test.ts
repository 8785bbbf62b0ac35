import { describe, expect, test } from 'vitest';
import { GraphError } from '../graph-error.ts';
import { renderTemplate } from './render.ts';
import { parseTemplate, readTemplate, writeTemplate } from './templates.ts';

const ready = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
    { type: 'BODY', text: 'Hello {{1}}, it costs {{2}}.' },
    { type: 'FOOTER', text: 'Shop' },
  ],
};
const text = (value: string) => ({ type: 'text', text: value });
const filled = [
  { type: 'header', parameters: [text('7')] },
  { type: 'body', parameters: [text('Ada $&'), { type: 'currency', currency: { fallback_value: '5 €' } }] },
];

function codeOf(work: () => unknown): number | undefined {
  try {
    work();
  } catch (error) {
    return error instanceof GraphError ? error.code : undefined;
  }
  return 0;
}

describe('a template', () => {
  test('is filled in by position, and is unchanged after storage', () => {
    const template = parseTemplate(ready);
    expect(readTemplate(writeTemplate(template))).toEqual(template);
    expect(renderTemplate(template, { components: filled })).toEqual({
      text: '*Order 7*\n\nHello Ada $&, it costs 5 €.\n\nShop',
    });
  });

  test('is filled in by name when its placeholders have names', () => {
    const template = parseTemplate({ ...ready, components: [{ type: 'BODY', text: 'Hi {{name}}' }] });
    const components = [{ type: 'body', parameters: [{ ...text('Ada'), parameter_name: 'name' }] }];
    expect(renderTemplate(template, { components })).toEqual({ text: 'Hi Ada' });
  });

  test('keeps the payload, link and code of its buttons', () => {
    const template = parseTemplate({
      ...ready,
      components: [
        { type: 'BODY', text: 'Hi' },
        { type: 'FOOTER', text: 'Shop' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Stop' },
            { type: 'URL', text: 'Open', url: 'https://a.example/{{1}}' },
            { type: 'COPY_CODE', example: 'X' },
          ],
        },
      ],
    });
    const components = [
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: '0',
        parameters: [{ type: 'payload', payload: 's' }],
      },
      { type: 'button', sub_type: 'url', index: 1, parameters: [text('7')] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 2,
        parameters: [{ type: 'coupon_code', coupon_code: 'C1' }],
      },
    ];
    expect(renderTemplate(template, { components })).toEqual({
      type: 'interactive',
      interactive_body: 'Hi',
      interactive_footer: 'Shop',
      interactive_buttons: [
        { type: 'quick_reply', display_text: 'Stop', id: 'button:s' },
        { type: 'cta_url', display_text: 'Open', url: 'https://a.example/7' },
        { type: 'cta_copy', display_text: 'Copy code', copy_code: 'C1' },
      ],
    });
  });

  test('becomes a file with a caption when its header is a file', () => {
    const template = parseTemplate({
      ...ready,
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Hi' },
      ],
    });
    const image = { type: 'image', image: { link: 'https://a.example/b.png' } };
    expect(renderTemplate(template, { components: [{ type: 'header', parameters: [image] }] })).toEqual({
      media_type: 'image',
      media_url: 'https://a.example/b.png',
      caption: 'Hi',
    });
    expect(codeOf(() => renderTemplate(template, {}))).toBe(132012);
  });

  test('refuses too few or too many parameters', () => {
    const template = parseTemplate(ready);
    expect(codeOf(() => renderTemplate(template, {}))).toBe(132000);
    expect(
      codeOf(() =>
        renderTemplate(template, { components: [filled[0], { type: 'body', parameters: [text('a')] }] }),
      ),
    ).toBe(132000);
  });

  test.each([
    [{ name: 'Order Ready' }, 100],
    [{ language: 'English' }, 100],
    [{ category: 'FUN' }, 100],
    [{ components: [{ type: 'HEADER', text: 'x' }] }, 100],
    [
      {
        components: [
          { type: 'BODY', text: 'x' },
          { type: 'BODY', text: 'y' },
        ],
      },
      100,
    ],
    [{ components: [{ type: 'CAROUSEL' }] }, 131009],
    [
      {
        components: [
          { type: 'BODY', text: 'x' },
          { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'x' }] },
        ],
      },
      131009,
    ],
  ])('refuses an invalid definition: %j', (change, code) => {
    expect(codeOf(() => parseTemplate({ ...ready, ...change }))).toBe(code);
  });
});
