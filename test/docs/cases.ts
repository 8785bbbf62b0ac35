import { strict as assert } from 'node:assert';
import type { Cases } from '../process/run-cases.ts';
import { collectionsCase } from './collections.ts';
import { brokenLinks, unlistedGuides } from './links.ts';
import { blocksOf, documents, read } from './markdown.ts';
import { monitoringCase } from './monitoring.ts';
import { unknownNames } from './names.ts';
import { isRunnable, runPage } from './run-page.ts';
import { sendsCase } from './sends.ts';
import { signaturesCase } from './signatures.ts';
import { strangerCase } from './stranger.ts';

const runnablePages = documents().filter((file) => blocksOf(read(file)).some(isRunnable));

export const cases: Cases = {
  async 'every link leads to a file and a heading that exist'() {
    assert.deepEqual(brokenLinks(), []);
  },

  async 'every guide is in the contents'() {
    assert.deepEqual(unlistedGuides(), []);
  },

  async 'every field, path and variable is spelt as in the contract and the configuration'() {
    assert.deepEqual(unknownNames(), []);
  },

  async 'the dashboard and the alerts use metrics that exist'() {
    return monitoringCase();
  },

  async 'the verification of webhooks accepts genuine requests only, in every language'() {
    return signaturesCase();
  },

  async 'every send in the guide arrives'() {
    return sendsCase();
  },

  async 'a new user with the README has a delivered message after three commands'() {
    return strangerCase();
  },

  async 'the collection of requests runs from top to bottom on a fresh gateway, in Newman and in Bruno'() {
    return collectionsCase();
  },

  ...Object.fromEntries(runnablePages.map((file) => [`${file} does what it says`, () => runPage(file)])),
};
