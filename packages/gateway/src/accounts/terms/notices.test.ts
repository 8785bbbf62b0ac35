import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIds, createSealedBox, systemRandom } from '#kernel';
import { createMailOutbox, type Mail } from '#platform/mail';
import { describeOnEachDatabase } from '#testing';
import { changeAccount } from '../accounts.ts';
import { createMailTemplates } from '../members/mail-templates.ts';
import { findMembersOf } from '../members/member-queries.ts';
import { createHarness, newAccount, travelTo } from '../testing/harness.ts';
import { publishTerms, startTermsNotices } from './terms.ts';

const MINUTE_MS = 60_000;

describeOnEachDatabase(
  'the mail about new terms',
  (test) => {
    let stops: (() => Promise<void>)[] = [];
    beforeEach(() => {
      stops = [];
    });
    afterEach(() => Promise.all(stops.map((stop) => stop())));

    function begin() {
      const harness = createHarness(test);
      const { clock, store, random } = harness;
      const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random: systemRandom });
      const outbox = createMailOutbox({ clock, ids: createIds({ clock, random }), sealedBox });
      const mail = { outbox, origin: () => 'https://parley.example' };
      const context = { ...harness, machineClock: clock, sealedBox, mail };
      const log = { debug() {}, error: vi.fn() };
      const start = () => {
        const job = startTermsNotices({ ...context, log });
        stops.push(() => job.stop());
      };
      const publish = (version: string, when: { now?: true } = {}) =>
        publishTerms(context, 'operator', { version, url: `https://x.example/${version}`, ...when });
      const asked = () => store.read.selectFrom('mail_outbox').selectAll().execute();
      const noticed = (version: string) =>
        store.read.selectFrom('terms_notices').selectAll().where('version', '=', version).execute();
      const mailOf = async (accountId: string, version: string) => {
        const [owner] = await findMembersOf(store.read, accountId);
        return createMailTemplates(context).terms?.({ member: owner?.id ?? '', version });
      };
      return { context, clock, start, publish, asked, noticed, mailOf };
    }

    it('is asked for once for every owner, by however many processes and however often they look', async () => {
      const { context, clock, start, publish, asked, noticed } = begin();
      const accounts = await Promise.all(['Ada', 'Ben', 'Cleo'].map((name) => newAccount(context, name)));
      start();
      start();
      await publish('2026-07');
      for (let minute = 0; minute < 3; minute += 1) {
        clock.advance(MINUTE_MS);
        await vi.waitFor(async () => expect(await noticed('2026-07')).toHaveLength(accounts.length));
      }
      expect(await asked()).toHaveLength(accounts.length);
      // A later account is notified too.
      await newAccount(context, 'Dora');
      clock.advance(MINUTE_MS);
      await vi.waitFor(async () => expect(await asked()).toHaveLength(accounts.length + 1));
    });

    it('is not sent to accounts that have accepted them, nor about terms of an older release', async () => {
      const { context, clock, start, publish, asked, noticed } = begin();
      const { account_id } = await newAccount(context);
      const row = { version: 'old', url: 'https://x.example', number: 1, published_at: 1_000 };
      await context.store.transaction((trx) =>
        trx
          .insertInto('tos_versions')
          .values({ ...row, effective_at: null })
          .execute(),
      );
      start();
      await publish('new');
      await changeAccount(context, 'operator', account_id, { accept_tos: true });
      clock.advance(MINUTE_MS);
      await vi.waitFor(async () => expect(await noticed('new')).toHaveLength(1));
      expect(await noticed('old')).toEqual([]);
      expect(await asked()).toEqual([]);
    });

    it('says what is true when it leaves', async () => {
      const { context, clock, publish, mailOf } = begin();
      const { account_id, email } = await newAccount(context);
      await publish('mistaken');
      await publish('right');
      expect(await mailOf(account_id, 'mistaken')).toBeUndefined();
      const early = await mailOf(account_id, 'right');
      expect(early).toMatchObject({
        to: email.toLowerCase(),
        subject: { line: 'New terms of service: right' },
      });
      expect(textOf(early)).toContain('takes effect on Thu, 15 Jan 2026 00:00:00 GMT');
      expect(textOf(early)).toContain('https://x.example/right');
      expect(textOf(early)).toContain('https://parley.example/portal');
      travelTo(clock, '2026-01-15');
      expect(textOf(await mailOf(account_id, 'right'))).toContain('is in force since');
      await changeAccount(context, 'operator', account_id, { accept_tos: true });
      expect(await mailOf(account_id, 'right')).toBeUndefined();
    });
  },
  'new for each test',
);

function textOf(mail: Mail | undefined): string {
  return JSON.stringify(mail?.text);
}
