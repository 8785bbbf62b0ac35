import { ONBOARDING_POLL_INTERVAL_SECONDS, type SessionPasskey } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, unlessProblem, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { Confirmation } from '../../passkey/confirmation.tsx';
import { loginTexts, passkeyAdvice, passkeyTexts } from '../../texts/passkey.ts';
import { sentence } from '../../ui/format.ts';
import { Button, Card, CopyButton, ErrorNote, Note } from '../../ui/index.ts';

/** A linked number that the network lets in only with the account's passkey: the question, and the ways to answer it. */
export function LoginCard({ phone, onConnected }: { phone: string; onConnected: () => void }) {
  const state = useSignal<SessionPasskey | undefined>(undefined);
  const isAsking = useSignal(false);
  const params = { phone };

  async function look(): Promise<void> {
    const now = await call('getLoginPasskey', { params });
    state.value = now;
    if (now.status === 'passkey') isAsking.value = false;
    if (now.status === 'connected') onConnected();
  }

  useEffect(() => {
    const lookAgain = (): void => inBackground(look().catch(unlessProblem));
    lookAgain();
    return everyWhileVisible(ONBOARDING_POLL_INTERVAL_SECONDS.min * 1_000, lookAgain);
  }, [phone]);

  const ask = useAction(async () => {
    isAsking.value = true;
    state.value = await call('askLoginPasskey', { params });
  });

  const now = state.value;
  const url = now?.passkey?.url;
  const isQuiet = now?.status === 'pending' || now?.status === 'error';
  return (
    <Card title={loginTexts.title}>
      <p class="quiet">{loginTexts.lead}</p>
      {ask.problem.value && <ErrorNote problem={ask.problem.value} />}
      {now?.status === 'error' && (
        <Note tone="warning" icon="warning">
          {sentence(now.error ?? '')} {passkeyAdvice[now.error_code ?? '']}
        </Note>
      )}
      {isQuiet && (
        <div class="stack" role="status">
          <p>{isAsking.value ? loginTexts.asking : loginTexts.pendingText}</p>
          <div class="row">
            <Button look="primary" icon="key" busy={isAsking.value} onClick={() => inBackground(ask.run())}>
              {loginTexts.ask}
            </Button>
          </div>
        </div>
      )}
      {(now?.status === 'passkey' || now?.status === 'confirm') && (
        <Confirmation
          isLogin
          state={now}
          answer={async (body) => {
            state.value = await call('answerLoginPasskey', { params, body });
          }}
          confirm={async () => {
            state.value = await call('confirmLoginCodes', { params });
          }}
          giveUp={async () => {
            await call('refuseLoginCodes', { params });
            await look();
          }}
        />
      )}
      {url !== undefined && (
        <Note>
          <strong>{passkeyTexts.forOwner}</strong> {passkeyTexts.forOwnerText}
          <CopyButton text={url} label={passkeyTexts.copyLink} />
        </Note>
      )}
    </Card>
  );
}
