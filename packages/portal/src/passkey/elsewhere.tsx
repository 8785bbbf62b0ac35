import type { PasskeyCredential, PasskeyOptions } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useAction } from '../api/hooks.ts';
import { Problem } from '../api/problem.ts';
import { inBackground } from '../kernel/background.ts';
import { passkeyTexts } from '../texts/passkey.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { CodePanel } from '../ui/copy.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Segments } from '../ui/segments.tsx';
import { NETWORK_SITE, readCredential, snippetFor } from './credential.ts';

type Way = 'extension' | 'hand';

const WAYS = [
  { value: 'extension', label: passkeyTexts.withExtension },
  { value: 'hand', label: passkeyTexts.byHand },
] as const;

/** Ways to sign on the network's own site, where alone the passkey works. */
export function Elsewhere({
  options,
  answer,
}: {
  options: PasskeyOptions;
  answer: (credential: PasskeyCredential) => Promise<void>;
}) {
  const way = useSignal<Way>('extension');
  return (
    <div class="stack">
      <p>{passkeyTexts.noWay}</p>
      <Segments
        label={passkeyTexts.way}
        value={way.value}
        choices={WAYS}
        onChange={(chosen) => {
          way.value = chosen;
        }}
      />
      {way.value === 'extension' ? <WithExtension /> : <ByHand options={options} answer={answer} />}
    </div>
  );
}

function WithExtension() {
  return (
    <>
      <ol class="hints">
        {passkeyTexts.extensionSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="quiet small">{passkeyTexts.extensionWaits}</p>
    </>
  );
}

function ByHand({
  options,
  answer,
}: {
  options: PasskeyOptions;
  answer: (credential: PasskeyCredential) => Promise<void>;
}) {
  const pasted = useSignal('');
  const send = useAction(async () => {
    const credential = readCredential(pasted.value.trim());
    if (!credential) throw new Problem(400, passkeyTexts.notAnAnswer);
    await answer(credential);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(send.run());
      }}
    >
      <ol class="hints">
        {passkeyTexts.handSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div class="row">
        <LinkButton small icon="external" href={NETWORK_SITE} target="_blank">
          {passkeyTexts.openNetwork}
        </LinkButton>
      </div>
      <CodePanel title={passkeyTexts.snippet} code={snippetFor(options)} />
      <TextField
        label={passkeyTexts.paste}
        hint={passkeyTexts.pasteHint}
        value={pasted.value}
        rows={3}
        mono
        required
        autocomplete="off"
        onInput={(value) => {
          pasted.value = value;
        }}
      />
      {send.problem.value && <ErrorNote problem={send.problem.value} />}
      <div class="row">
        <Button type="submit" look="primary" busy={send.busy.value}>
          {passkeyTexts.send}
        </Button>
      </div>
    </form>
  );
}
