import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { pack } from '../../../packages/passkey-extension/build/pack.ts';
import { launchChromiumWith } from '../../services/chromium.ts';
import { makeTemporaryFolder } from '../../services/cleanup.ts';
import { withSight } from '../page-snapshot.ts';
import type { PortalGateway } from '../portal/gateway.ts';
import { PATIENCE_MS, until } from '../until.ts';
import { guardNumber, makePasskey, plugInAuthenticator } from './guarded.ts';

const NETWORK_HOST = 'web.whatsapp.com';
const RP_ID = 'whatsapp.com';

/** The unpacked extension in a browser that resolves the network's own site to a server here. */
export function extensionChecks(gateway: PortalGateway): Record<string, () => Promise<void>> {
  return {
    'the extension signs on the network’s own site, and the owner’s page continues': () =>
      withExtension(async (context, click) => {
        const number = await guardNumber(gateway, RP_ID);
        // Gives the tab of the extension the passkey that was made here, as a password manager would.
        const site = await context.newPage();
        await site.goto(`https://${NETWORK_HOST}/`);
        const { session, id } = await plugInAuthenticator(site);
        await makePasskey(site, gateway, number.phone);
        const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId: id });
        const [credential] = credentials;
        assert.ok(credential);
        await site.close();

        await number.start('qr');
        const page = await context.newPage();
        await page.clock.install();
        await page.goto(await number.ownersLink());
        await page.getByRole('radio', { name: 'By hand' }).check();
        // Clicks the icon while the page still looks for an extension; the search ends after the click.
        await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 10_000'));
        await page.getByRole('radio', { name: 'With the extension' }).check();

        const opened = context.waitForEvent('page');
        await click(page);
        const tab = await opened;
        await page.clock.fastForward(1_000);
        await page.clock.resume();
        await page.getByRole('status').getByText('WhatsApp Web').waitFor();
        const authenticator = await plugInAuthenticator(tab);
        await authenticator.session.send('WebAuthn.addCredential', {
          authenticatorId: authenticator.id,
          credential,
        });
        const confirm = tab.getByRole('button', { name: 'Confirm with passkey' });
        await confirm.waitFor();
        assert.equal((await number.poll()).status, 'passkey', 'nothing is signed without a click');
        // The tab closes itself after signing, sometimes before the click has ended.
        await confirm.click().catch((error: unknown) => {
          if (!tab.isClosed()) throw error;
        });
        await page.getByRole('heading', { name: 'Linked', exact: true }).waitFor();
        await until(() => tab.isClosed());
      }),

    'the extension signs for the network only, and says so when its owner refuses or it is stopped': () =>
      withExtension(async (context, click, stop) => {
        const page = await context.newPage();
        await page.goto(`${gateway.url}/docs`);
        await click(page);
        const foreign = await askInPage(page, {
          challenge: 'cTB2WDJtUDF1OGha',
          options: { rpId: 'example.com' },
        });
        assert.deepEqual([foreign.ok, foreign.error], [false, 'this extension signs for WhatsApp only']);

        const opened = context.waitForEvent('page');
        const asked = askInPage(page, { challenge: 'cTB2WDJtUDF1OGha' });
        const tab = await opened;
        // The tab closes during the click.
        await tab
          .getByRole('button', { name: 'No' })
          .click()
          .catch(() => {});
        assert.deepEqual(await asked, { ok: false, error: 'the owner refused' });

        const openedAgain = context.waitForEvent('page');
        const unanswered = askInPage(page, { challenge: 'cTB2WDJtUDF1OGha' });
        await (await openedAgain).getByRole('button', { name: 'No' }).waitFor();
        await stop();
        assert.deepEqual(await unanswered, { ok: false, error: 'the extension has stopped' });
      }),
  };
}

/** Calls the extension as any page may after its owner has clicked the icon there. */
function askInPage(page: Page, request: object): Promise<{ ok: boolean; error?: string }> {
  return page.evaluate(`new Promise((resolve) => {
    setTimeout(resolve, ${PATIENCE_MS}, { ok: false, error: 'no answer' });
    window.addEventListener('message', ({ data }) => {
      if (data.source === 'waha-passkey-extension' && data.requestId === 'r1') resolve({ ok: data.ok, error: data.error });
    });
    window.postMessage({ source: 'waha-passkey-page', type: 'waha-passkey-sign', requestId: 'r1', ...${JSON.stringify(request)} }, location.origin);
  })`);
}

async function withExtension(
  use: (
    context: BrowserContext,
    click: (page: Page) => Promise<void>,
    stop: () => Promise<unknown>,
  ) => Promise<void>,
): Promise<void> {
  const folder = makeTemporaryFolder('parley-extension-');
  const site = await startNetworkSite(folder.path);
  pack(path.join(folder.path, 'dist'));
  const extension = path.join(folder.path, 'dist/chromium');
  letInto(extension);
  const { context, close } = await launchChromiumWith([
    `--disable-extensions-except=${extension}`,
    `--load-extension=${extension}`,
    `--host-resolver-rules=MAP ${NETWORK_HOST} 127.0.0.1:${site.port}`,
    `--ignore-certificate-errors-spki-list=${site.fingerprint}`,
  ]);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const complaints: string[] = [];
    await withSight(context, complaints, async () => {
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const click = async (page: Page) => {
        await page.bringToFront();
        await worker.evaluate('chrome.tabs.query({ active: true }).then(([tab]) => offerTo(tab.id))');
      };
      const stop = () => worker.evaluate('chrome.runtime.reload()').catch(() => {});
      try {
        await use(context, click, stop);
      } catch (error) {
        const tabs = worker.evaluate<string>('chrome.tabs.query({}).then(JSON.stringify)');
        complaints.push(await tabs.catch(String));
        throw error;
      }
    });
  } finally {
    await close();
    site.server.closeAllConnections();
    site.server.close();
    folder.remove();
  }
}

/** Neither the toolbar icon nor its permission can be had in a test: the gateway's page gets the permission by manifest. */
function letInto(extension: string): void {
  const file = path.join(extension, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.host_permissions.push('http://localhost/*');
  writeFileSync(file, JSON.stringify(manifest));
}

interface NetworkSite {
  readonly server: Server;
  readonly port: number;
  /** Fingerprint of the key that the browser trusts. */
  readonly fingerprint: string;
}

/** An empty page with the strict policy of the real one. */
async function startNetworkSite(folder: string): Promise<NetworkSite> {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
      .concat(['-keyout', key, '-out', cert, '-subj', `/CN=${NETWORK_HOST}`])
      .concat(['-addext', `subjectAltName=DNS:${NETWORK_HOST}`]),
    { stdio: 'ignore' },
  );
  const pem = readFileSync(cert);
  const server = createServer({ key: readFileSync(key), cert: pem }, (_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Content-Security-Policy', "default-src 'self'; script-src 'self'; style-src 'self'");
    response.end('<!doctype html><html lang="en"><title>The network</title><body></body></html>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const spki = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    fingerprint: createHash('sha256').update(spki).digest('base64'),
  };
}
