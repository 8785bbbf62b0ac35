import { SEND_KINDS } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { createSlugger, drawGuide } from './markdown.ts';
import { guidePages } from './pages.ts';

const draw = (markdown: string) => drawGuide(markdown, (href) => (href === 'none.md' ? undefined : href));
const bodyOf = (markdown: string) => draw(`# T\n\n${markdown}`).lead.toString();

describe('a Markdown guide', () => {
  test('has a title, a lead, and a section with an anchor for every second-level heading', () => {
    const guide = draw(
      '# Pairing\n\nFirst.\n\n## By QR\n\nScan `qr`.\n\n### Too late\n\n## By code\n\nType.',
    );
    expect(guide.title).toBe('Pairing');
    expect(guide.lead.toString()).toBe('<p>First.</p>\n');
    expect(guide.sections.map(({ id, title }) => [id, title])).toEqual([
      ['by-qr', 'By QR'],
      ['by-code', 'By code'],
    ]);
    expect(guide.sections[0]?.body.toString()).toContain('<h3 id="too-late">');
    expect(guide.sections[0]?.text).toContain('Scan qr.');
  });

  test('escapes HTML everywhere', () => {
    const hostile = '<img src=x onerror=alert(1)>';
    for (const place of [
      hostile,
      `- ${hostile}`,
      `\`${hostile}\``,
      `|a|\n|-|\n|${hostile}|`,
      `\`\`\`sh\n${hostile}\n\`\`\``,
    ])
      expect(bodyOf(place)).not.toContain('<img');
  });

  test('joins adjacent tab blocks, and no others', () => {
    const tabs = bodyOf('```ts tab\na\n```\n\n```python tab\nb\n```\n\n```sh\nc\n```');
    expect(tabs.match(/data-tabs=/g)).toHaveLength(1);
    expect(tabs).toMatch(/data-tabs[\s\S]*TypeScript[\s\S]*Python[\s\S]*<\/div>[\s\S]*Shell/);
  });

  test('renders a link to a file that is no page as text', () => {
    expect(bodyOf('[here](some.md) and [there](none.md)')).toBe(
      '<p><a href="some.md">here</a> and there</p>\n',
    );
  });

  test('shows an existing picture, else its alternative text', () => {
    expect(bodyOf('![A phone](phone.png)')).toContain('<img src="phone.png" alt="A phone" loading="lazy">');
    expect(bodyOf('![A phone](none.md)')).toBe('<p>A phone</p>\n');
  });

  test('links the name of an operation to its entry in the reference', () => {
    expect(bodyOf('`POST /v1/messages`')).toBe(
      '<p><a href="/docs#sendMessage"><code>POST /v1/messages</code></a></p>\n',
    );
    expect(bodyOf('`POST /v1/nothing`')).toBe('<p><code>POST /v1/nothing</code></p>\n');
  });

  test('has GitHub’s anchors, numbered when repeated', () => {
    const slug = createSlugger();
    expect(['What’s a “JID”?', 'Rate: 1/s', 'a_b-c', 'Rate: 1/s'].map(slug)).toEqual([
      'whats-a-jid',
      'rate-1s',
      'a_b-c',
      'rate-1s-1',
    ]);
  });
});

describe('the phone’s view is drawn from the request', () => {
  test.each(Object.values(SEND_KINDS))('$kind', ({ example }) => {
    const picture = bodyOf(`\`\`\`json send\n${JSON.stringify(example)}\n\`\`\``);
    expect(picture).toContain('<figure class="phone">');
    const screen = picture.slice(picture.indexOf('class="screen"'));
    const shown = ['text', 'caption', 'display_name', 'poll_name', 'loc_name', 'interactive_body', 'emoji'];
    for (const field of shown) if (field in example) expect(screen).toContain(Reflect.get(example, field));
  });

  test('shows nothing for a send that the gateway would refuse', () => {
    expect(() => bodyOf('```json send\n{"to": "15550002001", "txt": "?"}\n```')).toThrow(
      'The guides show an invalid send',
    );
  });
});

describe('every guide', () => {
  const pages = guidePages({
    version: '1',
    assetUrl: (file) => `/docs/assets/${file}`,
    headers: {},
    fileHeaders: {},
  });

  test.each(pages.map((page) => [page.path, page] as const))('%s is rendered', async (path, page) => {
    const drawn = await page.render();
    if (!page.type.startsWith('text/html')) return expect(drawn).not.toBe('');
    if (!path.includes('/adr/')) expect(drawn).toContain(`href="${path}" aria-current="page"`);
    expect(drawn).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)/);
  });

  test('links only to pages and anchors that exist', async () => {
    const drawn = new Map(
      await Promise.all(pages.map(async (page) => [page.path, await page.render()] as const)),
    );
    const broken: string[] = [];
    for (const [path, text] of drawn) {
      for (const [, href = ''] of String(text).matchAll(/\shref="((?:\/docs\/guides|#)[^"]*)"/g)) {
        const [page = '', anchor] = href.split('#');
        const target = drawn.get(page || path);
        if (target === undefined || (anchor && !String(target).includes(` id="${anchor}"`)))
          broken.push(`${path} → ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });
});
