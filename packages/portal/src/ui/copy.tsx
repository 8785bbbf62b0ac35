import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { inBackground } from '../kernel/background.ts';
import { after } from '../kernel/clock.ts';
import { words } from '../texts/common.ts';
import { Button } from './button.tsx';
import './copy.css';
import { Note } from './error-note.tsx';

const SAID_MS = 1_600;

export function CopyButton({ text, label = words.copy }: { text: string; label?: string }) {
  const copied = useSignal(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    after(SAID_MS, () => {
      copied.value = false;
    });
  }
  return (
    <Button look="quiet" small icon={copied.value ? 'check' : 'copy'} onClick={() => inBackground(copy())}>
      {copied.value ? words.copied : label}
    </Button>
  );
}

/** Text to copy: a command, a payload. */
export function CodePanel({ title, code }: { title: ComponentChildren; code: string }) {
  return (
    <figure class="code">
      <figcaption>
        <span>{title}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}

/** Secret that is shown once. */
export function SecretPanel({ title, secret }: { title: string; secret: string }) {
  return (
    <div class="stack">
      <Note tone="warning" icon="warning">
        {words.shownOnce}
      </Note>
      <CodePanel title={title} code={secret} />
    </div>
  );
}
