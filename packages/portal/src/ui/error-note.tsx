import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/index.ts';
import { words } from '../texts/common.ts';
import { Button } from './button.tsx';
import { sentence } from './format.ts';
import { Icon, type IconName } from './icon.tsx';
import './note.css';

/** Failure and what to do about it. */
export function ErrorNote({
  problem,
  retry,
  id,
}: {
  problem: Problem;
  retry?: (() => void) | undefined;
  id?: string | undefined;
}) {
  const { message, retryAfterSeconds, status } = problem;
  return (
    <div class="note note-error" role="alert" id={id}>
      <Icon name="warning" />
      <p>
        {sentence(message)} {retryAfterSeconds !== undefined && words.waitSeconds(retryAfterSeconds)}
        {status === 0 && words.unreachableText}
      </p>
      {retry && (
        <Button small onClick={retry}>
          {words.retry}
        </Button>
      )}
    </div>
  );
}

/** Side note. */
export function Note({
  tone = 'info',
  icon = 'info',
  children,
}: {
  tone?: 'info' | 'warning' | 'good';
  icon?: IconName;
  children: ComponentChildren;
}) {
  return (
    <div class={`note note-${tone}`}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
