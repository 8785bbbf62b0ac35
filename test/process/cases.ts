import { accountLifeCases } from './account-life.ts';
import { cliCases } from './cli.ts';
import { crashCases } from './crash.ts';
import { everyFeatureCases } from './every-feature.ts';
import { exportCases } from './exports.ts';
import { firstRunCases } from './first-run.ts';
import { fullDiskCases } from './full-disk.ts';
import { halfRequestCases } from './half-requests.ts';
import { importCases } from './import-evolution.ts';
import { largeFileCases } from './large-files.ts';
import { lifeCases } from './life.ts';
import { logLineCases } from './log-lines.ts';
import { mcpCases } from './mcp.ts';
import { pendingWebhookCases } from './pending-webhooks.ts';
import { refusalCases } from './refusals.ts';
import type { Cases } from './run-cases.ts';
import { safekeepingCases } from './safekeeping.ts';
import { sandboxCases } from './sandbox.ts';
import { wordCases } from './words.ts';

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
  // They look for what is told among the first events, of which those after them make many.
  ...mcpCases,
  ...cliCases,
  ...importCases,
};
