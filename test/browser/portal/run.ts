import { launchChromium } from '../../services/chromium.ts';
import { runChecks } from '../checks.ts';
import { activityChecks } from './activity.ts';
import { boundChecks } from './bounds.ts';
import { entranceChecks, termsChecks } from './entrance.ts';
import { furnish } from './furnish.ts';
import { startGateway } from './gateway.ts';
import { lookChecks } from './looks.ts';
import { operatorChecks, publishChecks } from './operator.ts';
import { sandboxChecks } from './sandbox.ts';
import { storyChecks } from './story.ts';
import { testSendChecks } from './test-send.ts';

/** Uses the portal in a real browser as owners and the operator would, against a real gateway and virtual phones. */

const gateway = await startGateway();
const browser = await launchChromium();
try {
  const stage = { gateway, browser };
  using furnished = await furnish(gateway);
  await runChecks({
    ...storyChecks(stage),
    ...sandboxChecks(stage, furnished),
    ...testSendChecks(stage, furnished),
    ...activityChecks(stage, furnished),
    ...operatorChecks(stage, furnished),
    ...boundChecks(stage, furnished),
    ...lookChecks(stage, furnished),
    ...entranceChecks(stage),
    ...termsChecks(stage),
    ...publishChecks(stage),
  });
} finally {
  await browser.close();
  await gateway.stop();
}
