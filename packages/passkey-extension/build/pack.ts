import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zip } from './zip.ts';

/**
 * Builds the packages for browsers and stores: `dist/chromium` and `dist/firefox` to be loaded unpacked, and a zip of each.
 * Nothing is compiled or minified; the two differ in the name of the background script's setting.
 */
const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCES = path.join(ROOT, 'src');

type Manifest = Record<string, unknown> & { readonly version: string };

const BROWSERS: Readonly<Record<string, object>> = {
  chromium: { background: { service_worker: 'background.js' }, minimum_chrome_version: '120' },
  firefox: {
    background: { scripts: ['background.js'] },
    browser_specific_settings: { gecko: { id: 'passkey@parley.invalid', strict_min_version: '128.0' } },
  },
};

export function pack(out = path.join(ROOT, 'dist')): void {
  rmSync(out, { recursive: true, force: true });
  const manifest: Manifest = JSON.parse(readFileSync(path.join(SOURCES, 'manifest.json'), 'utf8'));
  for (const [browser, own] of Object.entries(BROWSERS)) {
    const folder = path.join(out, browser);
    mkdirSync(folder, { recursive: true });
    cpSync(SOURCES, folder, { recursive: true });
    cpSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
    writeFileSync(
      path.join(folder, 'manifest.json'),
      `${JSON.stringify({ ...manifest, ...own }, null, 2)}\n`,
    );
    const files = readdirSync(folder)
      .sort()
      .map((name) => ({ name, content: readFileSync(path.join(folder, name)) }));
    writeFileSync(path.join(out, `parley-passkey-${browser}-${manifest.version}.zip`), zip(files));
  }
}

if (import.meta.main) pack();
