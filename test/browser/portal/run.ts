import { launchChromium } from '../../services/chromium.ts';
import { runChecks } from '../checks.ts';
import { accountChecks } from './checks/account.ts';
import { activityChecks } from './checks/activity.ts';
import { lookChecks } from './checks/appearance.ts';
import { billingChecks } from './checks/billing.ts';
import { chatChecks } from './checks/chats.ts';
import { healthChecks } from './checks/health.ts';
import { boundChecks } from './checks/limits.ts';
import { operatorChecks, publishChecks } from './checks/operator.ts';
import { growingChecks } from './checks/paging.ts';
import { peopleChecks } from './checks/people.ts';
import { receiverChecks } from './checks/receivers.ts';
import { requestChecks } from './checks/requests.ts';
import { sandboxChecks } from './checks/sandbox.ts';
import { entranceChecks, termsChecks } from './checks/sign-in.ts';
import { storyChecks } from './checks/story.ts';
import { tabChecks } from './checks/tabs.ts';
import { testSendChecks } from './checks/test-send.ts';
import { furnish } from './furnish.ts';
import { startGateway } from './gateway.ts';

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
    ...growingChecks(harness),
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
