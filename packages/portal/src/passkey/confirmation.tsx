import type {
  OnboardingStatus,
  OwnerLink,
  PasskeyCredential,
  PasskeyOptions,
  SessionPasskey,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAction } from '../api/hooks.ts';
import { asProblem, Problem } from '../api/problem.ts';
import { inBackground } from '../kernel/background.ts';
import { everyWhileVisible, nowUnix } from '../kernel/clock.ts';
import { loginTexts, passkeyTexts } from '../texts/passkey.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import './confirmation.css';
import { NotSigned, signHere, signsHere } from './credential.ts';
import { Elsewhere } from './elsewhere.tsx';
import { awaitExtension, type Extension, findExtension } from './extension.ts';
import { BothShowCode, ComputerAsks, PhoneGoesOn, PhoneWaits } from './pictures.tsx';

/** Questions of a guarded pairing to the number's owner, and the handlers of the answers. */
export interface ConfirmationProps {
  readonly state: Pick<OwnerLink, 'passkey' | 'code'> & {
    readonly status: OnboardingStatus | SessionPasskey['status'];
  };
  readonly answer: (credential: PasskeyCredential) => Promise<void>;
  readonly confirm: () => Promise<void>;
  readonly giveUp: () => Promise<void>;
  /** The number is linked: nothing was scanned. */
  readonly isLogin?: boolean;
}

/** Steps of a guarded pairing, from the passkey to the confirmation on the phone. */
export function Confirmation({ state, answer, confirm, giveUp, isLogin = false }: ConfirmationProps) {
  if (state.status === 'passkey' && state.passkey) {
    const { options, expires_at_unix: until } = state.passkey;
    // A new challenge starts over.
    return (
      <AskPasskey key={options.challenge} options={options} until={until} answer={answer} isLogin={isLogin} />
    );
  }
  if (state.status === 'confirm') return <Compare code={state.code ?? ''} {...{ confirm, giveUp }} />;
  return (
    <div class="moment" role="status">
      <PhoneGoesOn />
      <h2>{isLogin ? loginTexts.working : passkeyTexts.working}</h2>
      <p class="quiet">{passkeyTexts.workingText}</p>
    </div>
  );
}

function AskPasskey({
  options,
  until,
  answer,
  isLogin,
}: {
  options: PasskeyOptions;
  until: number;
  answer: ConfirmationProps['answer'];
  isLogin: boolean;
}) {
  const extension = useSignal<Extension | undefined>(undefined);
  const isHere = signsHere(options);
  const sign = useAction(async () => {
    const way = extension.value;
    const signed = isHere ? signHere(options) : way?.sign(options);
    await answer(await (signed ?? Promise.reject(new NotSigned())).catch(inWords));
  });

  useEffect(() => {
    if (isHere) return;
    const look = async (): Promise<boolean> => {
      const found = await findExtension();
      // A search that began before the click on the icon may end after it without a result.
      if (found) extension.value = found;
      return found !== undefined;
    };
    inBackground(look());
    // A click on the icon refers to this page.
    return awaitExtension(() => inBackground(look().then((found) => found && sign.run())));
  }, []);

  return (
    <div class="stack stack-loose">
      <ol class="moments">
        <li>
          <PhoneWaits />
          <div>
            <h2>{isLogin ? loginTexts.phone : passkeyTexts.onPhone}</h2>
            <p>{isLogin ? loginTexts.phoneText : passkeyTexts.onPhoneText}</p>
            {!isLogin && <p class="quiet small">{passkeyTexts.onPhoneNone}</p>}
          </div>
        </li>
        <li>
          <ComputerAsks />
          <div class="stack">
            <div>
              <h2>{passkeyTexts.here}</h2>
              <p>{passkeyTexts.hereText}</p>
            </div>
            {sign.problem.value && <ErrorNote problem={sign.problem.value} />}
            {isHere || extension.value ? (
              <div class="row">
                <Button
                  look="primary"
                  icon="key"
                  busy={sign.busy.value}
                  onClick={() => inBackground(sign.run())}
                >
                  {passkeyTexts.confirm}
                </Button>
                {sign.busy.value && (
                  <span class="quiet small" role="status">
                    {isHere ? passkeyTexts.signing : passkeyTexts.inExtension}
                  </span>
                )}
              </div>
            ) : (
              <Elsewhere options={options} answer={answer} />
            )}
          </div>
        </li>
        <li>
          <PhoneGoesOn />
          <div>
            <h2>{isLogin ? loginTexts.working : passkeyTexts.done}</h2>
            <p>{isLogin ? loginTexts.doneText : passkeyTexts.doneText}</p>
          </div>
        </li>
      </ol>
      <TimeLeft until={until} />
    </div>
  );
}

function inWords(thrown: unknown): never {
  throw thrown instanceof NotSigned ? new Problem(400, passkeyTexts.notSigned) : asProblem(thrown);
}

function Compare({
  code,
  confirm,
  giveUp,
}: { code: string } & Pick<ConfirmationProps, 'confirm' | 'giveUp'>) {
  const same = useAction(confirm);
  const differs = useAction(giveUp);
  const problem = same.problem.value ?? differs.problem.value;
  useEffect(() => document.getElementById('compare')?.focus(), []);
  return (
    <div class="moment" id="compare" tabIndex={-1}>
      <BothShowCode />
      <h2>{passkeyTexts.compare}</h2>
      <p class="quiet">{passkeyTexts.compareText}</p>
      <output class="compared" aria-label={passkeyTexts.codeLabel}>
        {code}
      </output>
      {problem && <ErrorNote problem={problem} />}
      <div class="row">
        <Button look="primary" icon="check" busy={same.busy.value} onClick={() => inBackground(same.run())}>
          {passkeyTexts.same}
        </Button>
        <Button look="danger" busy={differs.busy.value} onClick={() => inBackground(differs.run())}>
          {passkeyTexts.differs}
        </Button>
      </div>
    </div>
  );
}

function TimeLeft({ until }: { until: number }) {
  const left = useSignal(until - nowUnix());
  useEffect(() => {
    const count = (): void => {
      left.value = until - nowUnix();
    };
    count();
    return everyWhileVisible(1_000, count);
  }, [until]);
  const seconds = Math.max(0, left.value);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <p class="quiet small figures">{passkeyTexts.left(time)}</p>;
}
