import { ONBOARDING_POLL_INTERVAL_SECONDS, type OwnerLink } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import mark from '../../../gateway/src/surfaces/reference/assets/mark.svg';
import { call } from '../api/client.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible } from '../kernel/clock.ts';
import { Confirmation } from '../passkey/confirmation.tsx';
import { words } from '../texts/common.ts';
import { linkPageTexts, loginTexts, passkeyAdvice, passkeyTexts } from '../texts/passkey.ts';
import { Button } from '../ui/button.tsx';
import { sentence } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import './link.css';

const OVER: ReadonlySet<string> = new Set(['paired', 'error']);

/** Page for a number's owner who opened a link: to a pairing, or to a login that waits for the passkey. */
export function LinkPage({ token }: { token: string }) {
  const state = useSignal<OwnerLink | undefined>(undefined);
  const refused = useSignal<Problem | undefined>(undefined);
  const isCutOff = useSignal(false);
  const params = { token };

  async function follow(ask: () => Promise<OwnerLink>): Promise<void> {
    try {
      state.value = await ask();
      isCutOff.value = false;
    } catch (thrown) {
      const problem = asProblem(thrown);
      isCutOff.value = problem.status === 0 || problem.status >= 500;
      if (problem.status === 403 || problem.status === 404) refused.value = problem;
    }
  }

  function look(): void {
    if (refused.value || OVER.has(state.value?.status ?? '')) return;
    // Until the link is opened, every poll is an attempt to open it.
    inBackground(
      follow(() => (state.value ? call('getOwnerLink', { params }) : call('openOwnerLink', { params }))),
    );
  }

  useEffect(() => {
    document.title = `${linkPageTexts.title} · ${words.product}`;
    look();
    return everyWhileVisible(ONBOARDING_POLL_INTERVAL_SECONDS.min * 1_000, look);
  }, [token]);

  return (
    <div class="link-page">
      <header class="link-brand">
        <img src={mark} alt="" width="28" height="28" />
        {words.product}
      </header>
      <main class="link-sheet">
        {isCutOff.value && (
          <p class="link-cut" role="status">
            {linkPageTexts.offline}
          </p>
        )}
        {refused.value ? (
          <Ending icon="lock" title={linkPageTexts.refused} text={sentence(refused.value.message)} />
        ) : (
          stage()
        )}
      </main>
    </div>
  );

  function stage() {
    const now = state.value;
    if (!now)
      return (
        <p class="quiet" role="status">
          {linkPageTexts.opening}
        </p>
      );
    if (now.is_login) return loginStage(now);
    if (now.status === 'paired')
      return <Ending good icon="check" title={linkPageTexts.linked} text={linkPageTexts.linkedText} />;
    if (now.status === 'error') {
      const advice = passkeyAdvice[now.error_code ?? ''];
      const text = [sentence(now.error ?? ''), advice, linkPageTexts.again].filter(Boolean).join(' ');
      return <Ending icon="warning" title={linkPageTexts.failed} text={text} />;
    }
    return (
      <>
        <div>
          <h1>{linkPageTexts.title}</h1>
          {now.status === 'passkey' && <p class="quiet">{passkeyTexts.lead}</p>}
        </div>
        <Confirmation
          state={now}
          answer={async (body) => {
            state.value = await call('answerOwnerLink', { params, body });
          }}
          confirm={async () => {
            state.value = await call('confirmOwnerLink', { params });
          }}
          giveUp={giveUp}
        />
        {now.status === 'passkey' && (
          <Button look="quiet" small onClick={() => inBackground(giveUp())}>
            {passkeyTexts.giveUp}
          </Button>
        )}
      </>
    );
  }

  /** The same for a number that is linked. A question that came to nothing is not the end: the network asks again. */
  function loginStage(now: OwnerLink) {
    if (now.status === 'paired')
      return <Ending good icon="check" title={loginTexts.connected} text={loginTexts.connectedText} />;
    if (now.status === 'error') {
      const text = [sentence(now.error ?? ''), passkeyAdvice[now.error_code ?? '']].filter(Boolean).join(' ');
      return (
        <>
          <Ending icon="warning" title={loginTexts.failed} text={text} />
          <Button
            look="primary"
            icon="key"
            onClick={() => {
              state.value = { is_login: true, status: 'pending' };
              inBackground(follow(() => call('openOwnerLink', { params })));
            }}
          >
            {loginTexts.ask}
          </Button>
        </>
      );
    }
    const isAsked = now.status === 'passkey' || now.status === 'confirm';
    return (
      <>
        <div>
          <h1>{loginTexts.title}</h1>
          <p class="quiet">{isAsked ? loginTexts.lead : loginTexts.asking}</p>
        </div>
        {isAsked && (
          <Confirmation
            isLogin
            state={now}
            answer={async (body) => {
              state.value = await call('answerOwnerLink', { params, body });
            }}
            confirm={async () => {
              state.value = await call('confirmOwnerLink', { params });
            }}
            giveUp={giveUp}
          />
        )}
      </>
    );
  }

  async function giveUp(): Promise<void> {
    await call('cancelOwnerLink', { params });
    look();
  }
}

/** Final state of the page; takes the focus, so that screen readers announce it. */
function Ending({ icon, title, text, good }: { icon: IconName; title: string; text: string; good?: true }) {
  useEffect(() => document.getElementById('ending')?.focus(), []);
  return (
    <div class="moment" id="ending" tabIndex={-1} role="status">
      <span class={good ? 'link-mark link-mark-good' : 'link-mark'}>
        <Icon name={icon} size={32} />
      </span>
      <h1>{title}</h1>
      <p class="quiet">{text}</p>
    </div>
  );
}
