import { launchChromium } from '../../services/chromium.ts';
import { runChecks } from '../checks.ts';
import { startGateway } from '../portal/gateway.ts';
import { extensionChecks } from './extension.ts';
import { byName } from './guarded.ts';
import { ownerPageChecks } from './owner-page.ts';
import { portalChecks } from './portal.ts';

/** Links guarded numbers in a real browser, with a virtual authenticator, against a real gateway and a network that verifies signatures. */

const gateway = await startGateway();
const browser = await launchChromium();
try {
  const harness = { gateway: byName(gateway), browser };
  await runChecks({
    ...ownerPageChecks(harness),
    ...portalChecks(harness),
    ...extensionChecks(harness.gateway),
  });
} finally {
  await browser.close();
  await gateway.stop();
}
