import type { ComponentChildren } from 'preact';
import { words } from '../../texts/common.ts';
import { Button } from '../../ui/index.ts';

/** Top bar of a phone's screen. */
export function ScreenHead({
  title,
  onBack,
  tools,
  children,
}: {
  title: string;
  onBack?: () => void;
  tools?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="screen-head">
      {onBack && <Button look="quiet" small icon="back" label={words.back} onClick={onBack} />}
      <div class="screen-title">
        <h2 class="cut">{title}</h2>
        {children}
      </div>
      <div class="screen-tools">{tools}</div>
    </header>
  );
}
