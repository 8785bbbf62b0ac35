import { accountLifeCases } from './account-life.ts';
import { safekeepingCases } from './backup.ts';
import { cliCases } from './cli.ts';
import { crashCases } from './crash.ts';
import { wordCases } from './doctor-and-help.ts';
import { everyFeatureCases } from './every-feature.ts';
import { exportCases } from './exports.ts';
import { firstRunCases } from './first-run.ts';
import { fullDiskCases } from './full-disk.ts';
import { halfRequestCases } from './half-requests.ts';
import { importCases } from './import-evolution.ts';
import { largeFileCases } from './large-files.ts';
import { logLineCases } from './log-lines.ts';
import { mcpCases } from './mcp.ts';
import { pendingWebhookCases } from './pending-webhooks.ts';
import { refusalCases } from './refusals.ts';
import type { Cases } from './run-cases.ts';
import { sandboxCases } from './sandbox.ts';
import { lifeCases } from './start-and-stop.ts';
import { verifyCases } from './verify.ts';

export const cases: Cases = {
  ...lifeCases,
  ...everyFeatureCases,
  ...crashCases,
  ...accountLifeCases,
  ...exportCases,
  ...pendingWebhookCases,
  ...firstRunCases,
  ...refusalCases,
  ...fullDiskCases,
  ...halfRequestCases,
  ...largeFileCases,
  ...sandboxCases,
  ...logLineCases,
  ...safekeepingCases,
  ...wordCases,
  // They look at the first events, and later cases create many.
  ...mcpCases,
  ...cliCases,
  ...verifyCases,
  ...importCases,
};
