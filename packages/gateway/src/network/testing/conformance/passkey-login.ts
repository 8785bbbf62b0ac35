import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import { describe, expect, it } from 'vitest';
import type { ConnectionState, LoginQuestion } from '../../port.ts';
import { failureOf } from './expectations.ts';
import type { CreateHarness } from './harness.ts';
import { NEAR_MS } from './passkey.ts';
import { type LinkedNumber, type OpenNumber, useStage } from './stage.ts';

export function describePasskeyLogin(createHarness: CreateHarness): void {
  describe('a login that asks for the passkey', () => {
    const stage = useStage(createHarness);
    const HOUR_MS = 3_600_000;

    type Reconnecting = Extract<ConnectionState, { kind: 'reconnecting' }>;

    /** A linked number whose next logins ask, and the browser that has its passkey. */
    const guardedLogin = async (logins = 1): Promise<OpenNumber & { browser: SoftAuthenticator }> => {
      const number = await stage.link();
      const browser = createSoftAuthenticator({ origin: 'http://localhost:8080' });
      const { passkeys } = stage.world;
      await passkeys.keep(number.phone, browser.create(passkeys.creation(number.phone)));
      passkeys.arm(number.phone, 'passkey_at_login', logins);
      return { ...stage.open(number), browser };
    };

    const asked = <Kind extends LoginQuestion['kind']>(
      { session }: OpenNumber,
      kind: Kind,
    ): Promise<Extract<LoginQuestion, { kind: Kind }>> =>
      stage.eventually(() => {
        const { question } = session.state as Reconnecting;
        expect(question).toMatchObject({ kind });
        return question as Extract<LoginQuestion, { kind: Kind }>;
      });

    const connected = ({ session }: OpenNumber): Promise<void> =>
      stage.eventually(() => expect(session.state.kind).toBe('connected'));

    const logins = ({ sessionId }: LinkedNumber): number => stage.world.devices.get(sessionId)?.logins ?? 0;

    it('shows the question, and is let in with the assertion; messages of the meantime arrive', async () => {
      const me = await guardedLogin();
      const { options } = await asked(me, 'passkey');
      expect(me.session.state).toMatchObject({
        kind: 'reconnecting',
        reason: 'passkey_required',
        detail: expect.stringMatching(/\w \w/),
      });
      expect((await failureOf(me.session.probe())).kind).toBe('offline');
      const ben = stage.someone('Ben');
      const sent = stage.world.messages.send(ben.actor, {
        id: stage.world.messages.newId(),
        to: me.jid,
        content: { type: 'text', text: 'waited' },
      });
      me.session.login.answerPasskey(me.browser.get(options));
      await connected(me);
      await stage.eventually(() =>
        expect(me.witness.message(sent.id)).toMatchObject({ content: { text: 'waited' } }),
      );
    });

    it('has codes to compare when the owner took longer than five minutes', async () => {
      const me = await guardedLogin();
      const { options } = await asked(me, 'passkey');
      await stage.harness.advance(NEAR_MS + 15_000);
      me.session.login.answerPasskey(me.browser.get(options));
      const { code } = await asked(me, 'confirm');
      await stage.eventually(() =>
        expect(stage.harness.pairing.guarded(me.phone)).toEqual({ stage: 'compare', code }),
      );
      me.session.login.confirm();
      await connected(me);
    });

    it('ends the question when the codes differ, and asks anew when a person wants it, at most once a minute', async () => {
      const me = await guardedLogin();
      const { options } = await asked(me, 'passkey');
      const knocked = logins(me);
      me.session.login.refuse();
      expect(me.session.state).toMatchObject({ kind: 'reconnecting', reason: 'passkey_required' });
      me.session.login.answerPasskey(me.browser.get(options));
      me.session.login.ask();
      await stage.harness.advance(40_000);
      expect(logins(me)).toBe(knocked);
      me.session.login.ask();
      await stage.harness.advance(20_000);
      const again = await asked(me, 'passkey');
      expect(again.options.challenge).not.toBe(options.challenge);
      expect(logins(me)).toBe(knocked + 1);
      me.session.login.answerPasskey(me.browser.get(again.options));
      await connected(me);
    });

    it('reports why an assertion was of no use, and takes the next one', async () => {
      const me = await guardedLogin();
      const { options } = await asked(me, 'passkey');
      stage.world.passkeys.arm(me.phone, 'passkey_refused', 1);
      me.session.login.answerPasskey(me.browser.get(options));
      expect(await asked(me, 'failed')).toMatchObject({ cause: 'refused', reason: expect.any(String) });
      me.session.login.ask();
      expect(me.session.state).not.toHaveProperty('question');
      await stage.harness.advance(60_000);
      me.session.login.answerPasskey(me.browser.get((await asked(me, 'passkey')).options));
      await connected(me);
    });

    it('waits for days without knocking more than some times a day, and then asks', async () => {
      const me = await guardedLogin();
      await asked(me, 'passkey');
      const knocked = logins(me);
      for (let step = 0; step < 48; step += 1) {
        await stage.harness.advance(HOUR_MS / 2);
        await stage.eventually(() => expect(me.session.state.kind).toBe('reconnecting'));
      }
      expect(me.session.state).toMatchObject({ reason: 'passkey_required' });
      expect(logins(me) - knocked).toBeGreaterThan(5);
      expect(logins(me) - knocked).toBeLessThanOrEqual(32);
      await stage.harness.advance(61_000);
      me.session.login.ask();
      me.session.login.answerPasskey(me.browser.get((await asked(me, 'passkey')).options));
      await connected(me);
    });

    it('asks in the next driver too, and only as long as the network does', async () => {
      const me = await guardedLogin(1);
      await asked(me, 'passkey');
      await stage.harness.restart();
      const again = stage.open(me);
      const { options } = await asked(again, 'passkey');
      again.session.login.answerPasskey(me.browser.get(options));
      await connected(again);
      again.session.reconnect();
      await connected(again);
    });

    it('waits after a refusal 428 without a question, and knocks no more often', async () => {
      const me = await stage.online();
      const fault = { kind: 'refuse_login', count: 1, ms: 3 * HOUR_MS, code: 428 } as const;
      stage.world.faults.arm(me.sessionId, fault);
      await stage.eventually(() =>
        expect(me.session.state).toMatchObject({ kind: 'reconnecting', reason: 'passkey_required' }),
      );
      const knocked = logins(me);
      for (let step = 0; step < 12; step += 1) await stage.harness.advance(5 * 60_000);
      expect(logins(me) - knocked).toBeLessThanOrEqual(6);
      for (let step = 0; step < 8; step += 1) {
        await stage.harness.advance(HOUR_MS / 2);
        await stage.eventually(() => expect(me.session.state.kind).not.toBe('connecting'));
      }
      await connected(me);
    });
  });
}
