import { launchChromium } from '../../services/chromium.ts';
import { runChecks } from '../checks.ts';
import { accountChecks } from './account.ts';
import { activityChecks } from './activity.ts';
import { billingChecks } from './billing.ts';
import { boundChecks } from './bounds.ts';
import { chatChecks } from './chats.ts';
import { entranceChecks, termsChecks } from './entrance.ts';
import { furnish } from './furnish.ts';
import { startGateway } from './gateway.ts';
import { healthChecks } from './health.ts';
import { lookChecks } from './looks.ts';
import { operatorChecks, publishChecks } from './operator.ts';
import { peopleChecks } from './people.ts';
import { receiverChecks } from './receivers.ts';
import { requestChecks } from './requests.ts';
import { sandboxChecks } from './sandbox.ts';
import { storyChecks } from './story.ts';
import { tabChecks } from './tabs.ts';
import { testSendChecks } from './test-send.ts';

/** Uses the portal in a real browser as owners and the operator would, against a real gateway and virtual phones. */

const gateway = await startGateway();
const browser = await launchChromium();
try {
  const harness = { gateway, browser };
  using furnished = await furnish(gateway);
  await runChecks({
    ...storyChecks(harness),
    ...receiverChecks(harness),
    ...sandboxChecks(harness, furnished),
    ...testSendChecks(harness, furnished),
    ...activityChecks(harness, furnished),
    ...requestChecks(harness, furnished),
    ...healthChecks(harness, furnished),
    ...chatChecks(harness, furnished),
    ...operatorChecks(harness, furnished),
    ...billingChecks(harness, furnished),
    ...boundChecks(harness, furnished),
    ...tabChecks(harness, furnished),
    ...lookChecks(harness, furnished),
    ...entranceChecks(harness),
    ...accountChecks(harness),
    ...peopleChecks(harness),
    ...termsChecks(harness),
    ...publishChecks(harness),
  });
} finally {
  await browser.close();
  await gateway.stop();
}
